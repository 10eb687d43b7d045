import { z } from 'zod'
import { countDifferences } from '../../operations/reports/count-differences.ts'
import { listDifferences } from '../../operations/reports/list-differences.ts'
import { count, itemFields, listOf, maybe, page, runId, text } from '../shapes.ts'
import { defineTool } from '../tool.ts'

export const getVerifyReport = defineTool({
  name: 'get_verify_report',
  title: 'Get verify report',
  about:
    'Findings of a verify run (or what a dry run would do): counts by phase, and missing, different and extra items. Those marked `changed_meanwhile`, `living` or `kept` are not faults; `repaired_by`: the strategy that repairs it.',
  subject: 'run',
  input: z.strictObject({
    run_id: runId,
    phase: z.string().max(64).optional(),
    finding: z.enum(['missing', 'different', 'extra']).optional(),
    ...page,
  }),
  output: listOf(
    'findings',
    z.strictObject({
      phase: text,
      component: text,
      finding: text,
      ...itemFields,
      fields: z.array(
        z.strictObject({
          untrusted_path: text,
          untrusted_source: z.unknown().optional(),
          untrusted_destination: z.unknown().optional(),
        }),
      ),
      living: z.boolean(),
      kept: z.boolean(),
      changed_meanwhile: z.boolean(),
      state: text,
      repaired_by: maybe,
    }),
    {
      mode: text,
      status: text,
      verifies: maybe,
      compared: count,
      note: maybe,
      matched: count,
      totals: z.array(
        z.strictObject({
          phase: text,
          finding: text,
          count,
          living: count,
          kept: count,
          dismissed: count,
          changed_meanwhile: count,
        }),
      ),
    },
  ),
  async answer({ run_id: id, phase, finding: kind, limit, cursor }, { read }) {
    const { counts, ...about } = await read(countDifferences, { id })
    const { items, nextCursor } = await read(listDifferences, { id, phase, kind, limit, cursor })
    return {
      ...about,
      note: about.compared === 0 ? notes[about.mode] : null,
      totals: counts.map(({ kind: finding, ...rest }) => ({ finding, ...rest })),
      findings: items.map((one) => ({
        phase: one.phase,
        component: one.component,
        finding: one.kind,
        sourceId: one.item.sourceId,
        destinationId: one.destinationId,
        untrusted_name: one.item.name,
        untrusted_sku: one.item.sku,
        untrusted_path: one.item.path,
        fields: one.fields.map(({ path, source, destination }) => ({
          // Merchants name the fields that they add to forms.
          untrusted_path: path,
          untrusted_source: asText(source),
          untrusted_destination: asText(destination),
        })),
        living: one.living,
        kept: one.kept,
        changedMeanwhile: one.changedMeanwhile,
        state: one.state,
        repairedBy: one.repairedBy,
      })),
      nextCursor,
    }
  },
})

/** Without them, a run that looked for no difference would seem to have found none. */
const notes = {
  verify: 'This run compared nothing: no difference was looked for.',
  full: 'This run is no comparison: no difference was looked for. list_runs with mode verify has the comparisons.',
  counts: 'This run only counts: no difference was looked for. list_runs with mode verify has the comparisons.',
  'dry-run': null,
} as const

function asText(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
