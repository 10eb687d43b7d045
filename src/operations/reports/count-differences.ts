import { z } from 'zod'
import { oneMigrationInput } from '../../contract/migration-request.ts'
import { modes } from '../../contract/modes.ts'
import { migrationStatuses } from '../../contract/status.ts'
import { countDifferences as countDifferenceRows } from '../../db/reports/run-findings.ts'
import { defineOperation } from '../shared/operation.ts'
import { readRun } from '../shared/runs/read-run.ts'

export const countDifferences = defineOperation({
  name: 'count-differences',
  summary: 'How many differences a verify or dry run found.',
  input: oneMigrationInput,
  output: z.strictObject({
    mode: z.enum(modes),
    status: z.enum(migrationStatuses),
    verifies: z.string().nullable(),
    compared: z
      .int()
      .describe(
        'Items of the source that were looked at, parts such as pictures included: the matched ones, the different and missing ones in `counts`, and those that belong to a missing item or could not be compared.',
      ),
    matched: z
      .int()
      .describe('Equal items, also if destination-owned values such as stock differ, which `living` counts.'),
    counts: z.array(
      z.strictObject({
        phase: z.string(),
        kind: z.enum(['missing', 'different', 'extra']),
        count: z
          .int()
          .describe('All of this kind. The numbers below are about some of these, and one may be in several of them.'),
        living: z.int().describe('Only destination-owned values such as stock differ; the item counts as matched.'),
        kept: z.int().describe('Stay so on purpose.'),
        dismissed: z.int().describe('Accepted by a person.'),
        changedMeanwhile: z.int().describe('A store changed during the comparison.'),
      }),
    ),
  }),
  isLong: () => true,
  async run({ id }, { organisationId }, deps) {
    const { database } = deps
    const { run, detail } = await readRun(deps, organisationId, id)
    // A copy has read items and found some equal, but has looked for no difference.
    const isComparison = run.mode === 'verify' || run.mode === 'dry-run'
    return {
      mode: run.mode,
      status: run.status,
      verifies: run.verifiesRunId,
      compared: isComparison ? detail.progress.discovered : 0,
      matched: isComparison ? detail.phases.reduce((sum, { matched }) => sum + matched, 0) : 0,
      counts: await countDifferenceRows(database, run),
    }
  },
})
