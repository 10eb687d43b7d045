import { currencies } from '../../entities/pricing/currencies.ts'
import { entities } from '../../entities/registry.ts'
import type { OpeningCalls } from '../../model/forecast/call-totals.ts'
import type { OpenRun } from '../context/open-run.ts'
import { probesOf } from './scope-probes.ts'
import { findingCalls } from './shop-facts.ts'

/** Whether any list in these phases takes several calls to read, usually one per storefront. */
export function walksLists(phases: readonly string[]): boolean {
  return entities.some(({ key, passes }) => phases.includes(key) && passes.some(({ source }) => source.pages))
}

/** Calls made before the first phase: store information, token scopes, sites, channels, currencies and preflight findings. */
export function openingCalls(
  run: Pick<OpenRun['run'], 'mode' | 'phases' | 'customerConsent' | 'selective' | 'sourceStorefront'>,
): OpeningCalls {
  const enter = 1 + probesOf(run.phases).length
  if (run.mode === 'counts') return { source: enter + (walksLists(run.phases) ? 1 : 0), destination: 0 }
  const pairing = 2
  const paid = run.phases.includes(currencies.key) ? 1 : 0
  const found = run.mode === 'verify' ? { source: 0, destination: paid } : findingCalls(run)
  return { source: enter + pairing + found.source, destination: enter + pairing + found.destination }
}
