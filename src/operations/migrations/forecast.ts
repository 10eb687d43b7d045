import { forecastInput, pricedForecast } from '../../contract/forecast.ts'
import type { ScopeItem } from '../../db/runs/scope-items.ts'
import { priceScope } from '../../engine/forecast/price-runs.ts'
import { type Outlook, outlookOf } from '../../model/forecast/outlook.ts'
import { defineOperation } from '../shared/operation.ts'
import {
  entitiesInScope,
  isSelective,
  readScope,
  refuseUnknownPicks,
  refuseUnknownStorefronts,
} from '../shared/runs/read-scope.ts'
import { recentPrices } from '../shared/runs/recent-prices.ts'
import { findPair, phasesInScope, refuseUnknownComponents } from '../shared/runs/run-scope.ts'

function itemsOf(scope: ScopeItem[]): Record<string, number> {
  const items: Record<string, number> = {}
  for (const { component } of scope) items[component] = (items[component] ?? 0) + 1
  return items
}

function inWhole({ created, compared, kept, deleted }: Outlook): Outlook {
  const [whole, parts, left, gone] = [created, compared, kept, deleted].map(Math.round)
  return { created: whole ?? 0, compared: parts ?? 0, kept: left ?? 0, deleted: gone ?? 0 }
}

/** Reads the stores while the caller waits, for at most 10 s, and stores nothing. */
export const forecast = defineOperation({
  name: 'forecast',
  summary: 'The forecast of a migration, without creating one.',
  input: forecastInput,
  output: pricedForecast,
  async run(input, { organisationId }, deps) {
    refuseUnknownPicks(input)
    refuseUnknownComponents(input)
    const phases = phasesInScope(entitiesInScope(input), input.themes)
    const stores = await findPair(deps.database, organisationId, input)
    await refuseUnknownStorefronts(deps, stores, input)
    const { mode, conflictStrategy: strategy, customerConsent, orderStatuses, pruneLive } = input
    const scope = { mode, strategy, phases, customerConsent, orderStatuses, pruneLive }
    const items = isSelective(input) ? itemsOf(await readScope(deps, stores, input)) : null
    const part = { items, storefront: input.sourceStorefront }
    const { keep } = recentPrices(deps)
    const { forecast: priced, basis, fallbackReason, surveyed } = await priceScope(deps, scope, stores, part, { keep })
    const copies = surveyed && (mode === 'full' || mode === 'dry-run')
    return { ...priced, outlook: copies ? inWhole(outlookOf(basis.shapes, strategy)) : null, fallbackReason }
  },
})
