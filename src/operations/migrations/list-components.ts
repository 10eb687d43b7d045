import { z } from 'zod'
import { componentResult } from '../../contract/migration.ts'
import { pageInput, pageOf } from '../../contract/primitives/list-page.ts'
import { defineOperation } from '../shared/operation.ts'
import { refuseUnknownParts } from '../shared/runs/known-parts.ts'
import { readRun } from '../shared/runs/read-run.ts'
import { slicePage } from '../shared/slice-page.ts'

export const componentSorts = ['order', 'failed', 'errors', 'skipped', 'total'] as const

const componentOfPhase = componentResult.extend({ phase: z.string() })
type ComponentResult = z.infer<typeof componentOfPhase>

export const listComponents = defineOperation({
  name: 'list-components',
  summary: 'The components of a migration across its phases, filtered and sorted.',
  input: z.strictObject({
    id: z.string(),
    phase: z.string().optional(),
    onlyWithFailures: z.boolean().default(false),
    sortBy: z.enum(componentSorts).default('order'),
    ...pageInput,
  }),
  output: pageOf(componentOfPhase),
  async run({ id, limit, cursor, ...filters }, { organisationId }, deps) {
    const { keyring } = deps
    const { run, detail } = await readRun(deps, organisationId, id)
    const { phase, onlyWithFailures, sortBy } = filters
    const all = detail.phases.flatMap(({ key, components }) =>
      components.map((one): ComponentResult => ({ ...one, phase: key })),
    )
    const fits = (one: ComponentResult) =>
      (phase === undefined || one.phase === phase) && (!onlyWithFailures || one.failed > 0)
    if (sortBy !== 'order') all.sort((one, other) => (other[sortBy] ?? 0) - (one[sortBy] ?? 0))
    const cursorScope = { list: `components of ${run.id}`, organisationId, filters }
    const page = slicePage(keyring, cursorScope, all, { keyOf: ({ key }) => key, fits, limit, cursor })
    if (page.items.length === 0) refuseUnknownParts(filters, run.phases)
    return page
  },
})
