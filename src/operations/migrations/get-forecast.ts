import { z } from 'zod'
import { forecast } from '../../contract/migration.ts'
import { oneMigrationInput } from '../../contract/migration-request.ts'
import { workedMs } from '../../db/reports/healing.ts'
import { listCallsMade, listPhaseTimes } from '../../db/reports/run-summaries.ts'
import { defineOperation } from '../shared/operation.ts'
import { readRun } from '../shared/runs/read-run.ts'

export const getForecast = defineOperation({
  name: 'get-forecast',
  summary: 'The forecast of a migration, or of its last round of healing, beside its actual progress.',
  input: oneMigrationInput,
  output: z.strictObject({
    forecast: forecast.nullable(),
    fallbackReason: z.string().nullable(),
    phases: z.array(
      z.strictObject({
        phase: z.string(),
        predictedSeconds: z.number().nullable(),
        workedSeconds: z.number(),
        finished: z.boolean(),
        predictedItems: z.int().nullable(),
        items: z.int(),
      }),
    ),
    calls: z.array(
      z.strictObject({ side: z.string(), class: z.string(), predicted: z.int().nullable(), calls: z.int() }),
    ),
    workedSeconds: z.number(),
    overallEtaSeconds: z.int(),
  }),
  async run({ id }, { organisationId }, deps) {
    const { database } = deps
    const { run, detail } = await readRun(deps, organisationId, id)
    const times = new Map((await listPhaseTimes(database, run.id)).map((time) => [time.phase, time]))
    const counts = detail.forecast?.counts
    const phases = detail.phases.map(({ key, components }) => ({
      phase: key,
      predictedSeconds: times.get(key)?.predictedSeconds ?? null,
      workedSeconds: times.get(key)?.workedSeconds ?? 0,
      finished: times.get(key)?.finished ?? false,
      predictedItems: counts ? components.reduce((sum, one) => sum + (counts[one.key] ?? 0), 0) : null,
      items: components.reduce((sum, one) => sum + one.discovered, 0),
    }))
    return {
      forecast: detail.forecast,
      fallbackReason: run.fallbackReason,
      phases,
      calls: await listCallsMade(database, run.id),
      // More than its phases together: the start, healing and the end are work as well.
      workedSeconds: Math.round((await workedMs(database, { organisationId, id: run.id })) / 1000),
      overallEtaSeconds: detail.progress.overallEtaSeconds,
    }
  },
})
