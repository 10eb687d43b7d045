import type { Database } from '../../db/core/database.ts'
import { findSurvey } from '../../db/runs/surveys.ts'
import { forecastTotals } from '../../entities/registry.ts'
import type { StoreCounts } from '../../model/forecast/forecast.ts'
import type { KeptShape } from '../../model/forecast/kept-shape.ts'
import type { Scope } from '../../model/forecast/scope.ts'
import { type PairHistory, pairOf, type Stores } from './pair-history.ts'
import { productsPath } from './part-of-store.ts'
import type { SurveyedPass } from './pass-shape.ts'
import { choicesKey } from './price-key.ts'

/** What the last survey of two stores found, by pass. */
export type LastSurvey = ReadonlyMap<string, KeptShape>

/** Our choice: a later run surveys both stores again. */
const daysKept = 30
/** By what share the catalogue may have grown or shrunk since. Our choice. */
const mostChange = 0.1

/**
 * The last survey, if a copy has been made since: between two stores that are copied again and again, little changes
 * from run to run, and a survey takes as many calls as reading a small store. Null before a run that deletes what only
 * the destination has: how much that is has to be counted.
 */
export async function lastSurvey(
  database: Database,
  scope: Scope,
  stores: Stores,
  { passes, history }: { passes: readonly SurveyedPass[]; history: Pick<PairHistory, 'lastRunAt'> },
): Promise<LastSurvey | null> {
  if (!history.lastRunAt || scope.mode === 'counts' || scope.strategy === 'replace') return null
  const shapes = await findSurvey(database, pairOf(stores), choicesKey(scope), { days: daysKept })
  const found = new Map(shapes?.map((shape) => [shape.key, shape]))
  // A later version of the service may have further passes.
  return passes.every(({ pass }) => found.has(pass.key)) ? found : null
}

/** Whether the catalogue is about as large as then, and the destination has not lost its copies. */
export function stillHolds(
  last: LastSurvey,
  now: {
    counts: StoreCounts
    destProducts: number | null
    passes: readonly SurveyedPass[]
    known: PairHistory['known']
  },
): boolean {
  const shapes = [...last.values()]
  const products = now.passes.find(({ pass }) => pass.source.path === productsPath)
  const copied = now.known.get(products?.pass.root ?? '')?.mapped ?? 0
  return (
    (now.destProducts ?? 0) >= copied &&
    forecastTotals.every(({ component, total }) => {
      const shape = shapes.find(({ root }) => root === component)
      return !shape || Math.abs(now.counts[total] - shape.items) <= mostChange * shape.items
    })
  )
}
