import fc from 'fast-check'
import type { ComponentCount, Pace, RunFacts } from '../../src/model/run-facts.ts'

/** A run over categories and brands that has not started. */
export function aRun(changes: Partial<RunFacts> = {}): RunFacts {
  return {
    id: '6f0ed7a0-8f5c-4f3e-9e3e-0d5f0a6f7b11',
    status: 'queued',
    mode: 'full',
    conflictStrategy: 'skip',
    autoHeal: true,
    selective: false,
    pageTemplates: null,
    source: { hash: 'old1', label: 'Old shop' },
    destination: { hash: 'new1', label: 'New shop' },
    sourceStorefront: null,
    destStorefront: null,
    phases: [
      { key: 'categories', label: 'Categories', components: [{ key: 'categories', label: 'Categories' }] },
      { key: 'brands', label: 'Brands', components: [{ key: 'brands', label: 'Brands' }] },
      {
        key: 'products',
        label: 'Products',
        components: [
          { key: 'products', label: 'Products' },
          { key: 'product-images', label: 'Images' },
        ],
      },
    ],
    phase: '',
    forecast: null,
    createdAt: new Date('2026-03-01T10:00:00Z'),
    startedAt: null,
    updatedAt: new Date('2026-03-01T10:00:00Z'),
    lastProgressAt: new Date('2026-03-01T10:00:00Z'),
    failureMessage: null,
    healing: false,
    healRound: 0,
    healChosen: false,
    waitingFor: null,
    waitingStore: null,
    waitingSince: null,
    ...changes,
  }
}

export function aCount(component: string, changes: Partial<ComponentCount> = {}): ComponentCount {
  return {
    phase: component.startsWith('product') ? 'products' : component,
    component,
    expected: null,
    discovered: 0,
    created: 0,
    updated: 0,
    matched: 0,
    skipped: 0,
    failed: 0,
    cancelled: 0,
    pruned: 0,
    errors: null,
    warnings: 0,
    exceptions: 0,
    widgets: 0,
    progressedAt: null,
    ...changes,
  }
}

export const noPace: Pace = { ratePerSec: 0, workedSeconds: 0, percentReached: 0, settlingSeconds: 0, deletionsLeft: 0 }

const some = fc.nat({ max: 100_000 })

/** Tallies as the engine keeps them: never more items in a terminal state than were discovered. */
export const anyCount = (component: string) =>
  fc
    .record({
      expected: fc.option(some),
      pending: some,
      created: some,
      updated: some,
      matched: some,
      skipped: some,
      failed: some,
      cancelled: some,
      pruned: some,
      warnings: some,
    })
    .map(({ pending, ...tally }) => {
      const terminal = tally.created + tally.updated + tally.matched + tally.skipped + tally.failed + tally.cancelled
      return aCount(component, { ...tally, discovered: terminal + pending })
    })

export const anyCounts = fc.tuple(
  anyCount('categories'),
  anyCount('brands'),
  anyCount('products'),
  anyCount('product-images'),
)
