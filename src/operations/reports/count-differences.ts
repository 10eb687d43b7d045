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
    compared: z.int(),
    matched: z.int(),
    counts: z.array(
      z.strictObject({
        phase: z.string(),
        kind: z.enum(['missing', 'different', 'extra']),
        count: z.int(),
        living: z.int(),
        kept: z.int(),
        dismissed: z.int(),
        changedMeanwhile: z.int(),
      }),
    ),
  }),
  async run({ id }, { organisationId }, deps) {
    const { database } = deps
    const { run, detail } = await readRun(deps, organisationId, id)
    return {
      mode: run.mode,
      status: run.status,
      verifies: run.verifiesRunId,
      compared: detail.progress.discovered,
      matched: detail.phases.reduce((sum, { matched }) => sum + matched, 0),
      counts: await countDifferenceRows(database, run),
    }
  },
})
