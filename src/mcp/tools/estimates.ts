import { z } from 'zod'
import { conflictStrategies, modes } from '../../contract/modes.ts'
import { countCatalog } from '../../operations/catalog/count-catalog.ts'
import { forecast } from '../../operations/migrations/forecast.ts'
import { getForecast } from '../../operations/migrations/get-forecast.ts'
import { count, maybe, ofPair, runId, store, text } from '../shapes.ts'
import { defineTool } from '../tool.ts'

const numbers = z.record(z.string(), z.number())

const forecastShape = {
  products: count,
  variants: count,
  brands: count,
  categories: count,
  counts: numbers,
  estimated: z.array(text),
  mem_mb: count,
  cpus: z.number(),
  eta_seconds: count,
  eta_breakdown: numbers,
  eta_assumed_ms: numbers,
  strategy: maybe,
  dest_products: count.optional(),
  tier: text,
  basis: text,
  fallback_reason: maybe,
  at: text,
}

export const getRunForecast = defineTool({
  name: 'get_run_forecast',
  title: 'Get run forecast',
  about: 'The forecast of a run beside the seconds, items and calls it has taken so far.',
  subject: 'run',
  input: z.strictObject({ run_id: runId }),
  output: z.strictObject({
    eta_seconds: count.optional(),
    tier: maybe,
    basis: maybe,
    worked_seconds: z.number(),
    overall_eta_seconds: count.optional(),
    phases: z.array(
      z.strictObject({
        phase: text,
        predicted_seconds: z.number().optional(),
        worked_seconds: z.number(),
        finished: z.boolean(),
        predicted_items: count.optional(),
        items: count,
      }),
    ),
    calls: z.array(z.strictObject({ side: text, class: text, predicted: count.optional(), calls: count })),
  }),
  async answer({ run_id: id }, { read }) {
    const { forecast: given, fallbackReason: _, overallEtaSeconds, ...actual } = await read(getForecast, { id })
    const { etaSeconds, tier, basis } = given ?? {}
    return { etaSeconds, tier, basis, overallEtaSeconds: given && overallEtaSeconds, ...actual }
  },
})

export const estimateMigration = defineTool({
  name: 'estimate_migration',
  title: 'Estimate a migration',
  about: 'Size and duration of a possible run, from both stores now. Creates nothing.',
  live: true,
  subject: 'store',
  input: z.strictObject({
    source_store: ofPair,
    destination_store: ofPair,
    mode: z.enum(modes).default('full'),
    strategy: z.enum(conflictStrategies).optional(),
    entities: z.array(z.string().max(64)).min(1).max(64).optional().describe('Phase keys; default all'),
    selection: z
      .record(z.string(), z.strictObject({ ids: z.array(z.string().max(20)).min(1).max(1000) }))
      .optional()
      .describe('Picked ids by entity'),
  }),
  output: z.strictObject(forecastShape),
  async answer({ source_store: source, destination_store: destination, strategy, ...rest }, { read }) {
    const {
      etaAssumedRttMs: _,
      outlook: _outlook,
      ...priced
    } = await read(forecast, {
      source,
      destination,
      conflictStrategy: strategy,
      ...rest,
    })
    return priced
  },
})

export const countCatalogTool = defineTool({
  name: 'count_catalog',
  title: 'Count a catalogue',
  about: 'How many items a store has now, by entity. compare_with adds a second store beside it.',
  live: true,
  subject: 'store',
  input: z.strictObject({
    store,
    compare_with: ofPair.optional(),
    entities: z
      .array(z.string().max(64))
      .min(1)
      .max(20)
      .optional()
      .describe('Default categories, brands, products, product-variants'),
  }),
  output: z.strictObject({
    stores: z.array(z.strictObject({ hash: text, counts: numbers, estimated: z.array(text) })),
    counted_at: text,
  }),
  answer: ({ store: hash, compare_with: compareWith, entities }, { read }) =>
    read(countCatalog, { hash, compareWith, entities }),
})
