import { z } from 'zod'
import { phaseResult } from '../../contract/migration.ts'
import { pageInput, pageOf } from '../../contract/primitives/list-page.ts'
import { defineOperation } from '../shared/operation.ts'
import { readRun } from '../shared/runs/read-run.ts'
import { slicePage } from '../shared/slice-page.ts'

export const listPhases = defineOperation({
  name: 'list-phases',
  summary: 'The phases of a migration with their totals, page by page.',
  input: z.strictObject({ id: z.string(), onlyWithFailures: z.boolean().default(false), ...pageInput }),
  output: pageOf(phaseResult.omit({ components: true })),
  async run({ id, onlyWithFailures, limit, cursor }, { organisationId }, deps) {
    const { keyring } = deps
    const { run, detail } = await readRun(deps, organisationId, id)
    const phases = detail.phases.map(({ components: _, ...sums }) => sums)
    const cursorScope = { list: `phases of ${run.id}`, organisationId, filters: { onlyWithFailures } }
    return slicePage(keyring, cursorScope, phases, {
      keyOf: ({ key }) => key,
      fits: ({ failed }) => !onlyWithFailures || failed > 0,
      limit,
      cursor,
    })
  },
})
