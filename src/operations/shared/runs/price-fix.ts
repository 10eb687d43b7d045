import type { InTransaction } from '../../../db/core/database.ts'
import { requestHealing, workedMs } from '../../../db/reports/healing.ts'
import { findLatencies, replaceForecast } from '../../../db/runs/forecasts.ts'
import { readOneRun } from '../../../db/runs/run-readings.ts'
import type { RunRow } from '../../../db/runs/runs.ts'
import { fixForecast } from '../../../model/forecast/fix-forecast.ts'
import { defaultLatencies } from '../../../model/forecast/forecast.ts'
import { healingBudgetMs } from '../../../model/healing.ts'

/** Starts another round of healing, with a forecast of its own. */
export async function beginHealing(
  tx: InTransaction,
  run: RunRow,
  at: Date,
  which: 'all' | 'chosen' = 'all',
): Promise<void> {
  await requestHealing(tx, run, which)
  if (!run.forecast) return
  const found = await readOneRun(tx, run)
  const failed = (found?.counts ?? []).flatMap(({ phase, component, failed: items }) =>
    items > 0 ? [{ phase, component, items }] : [],
  )
  const latencies = { ...defaultLatencies, ...(await findLatencies(tx, run)) }
  const budgetMs = healingBudgetMs(await workedMs(tx, run))
  await replaceForecast(tx, run, fixForecast(run.forecast, failed, { latencies, budgetMs, at }))
}
