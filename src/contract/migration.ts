import { z } from 'zod'
import { conflictStrategies, modes } from './modes.ts'
import { migrationStatuses } from './status.ts'

/**
 * MigrationDetail with the keys of the specification. Strict, so no other key can leave the service.
 * Source: specification, "Resources and their fields".
 */
const count = z.int().min(0)
const dateTime = z.iso.datetime()

export const storeRef = z.strictObject({
  hash: z.string().describe('Store hash, used on all migration endpoints.'),
  label: z.string(),
})

export const timestamps = z.strictObject({
  created: dateTime,
  started: dateTime.optional().describe('Absent until the run is admitted for the first time.'),
  updated: dateTime,
})

export const progress = z.strictObject({
  phase: z.string().describe('Key of the running phase; empty before the first phase, the last phase after the end.'),
  done: count.describe('Items that reached a terminal state.'),
  discovered: count,
  percent: z
    .number()
    .min(0)
    .max(100)
    .describe(
      'Never goes backwards while the run works; 100 only when it has finished. A finished run that is healed continues at 99.9.',
    ),
  ratePerSec: z.number().min(0).describe('Items per second over the last 30 s of working time.'),
  etaSeconds: count.describe(
    'Remaining seconds of the running phase; of the whole run before it starts, 0 until it has a forecast.',
  ),
  overallEtaSeconds: count.describe('Remaining seconds of the whole run; 0 until it has a forecast.'),
  lastProgressAt: dateTime,
})
export type Progress = z.infer<typeof progress>

export const counters = z.strictObject({
  done: count.describe('Created, updated and matched items.'),
  inProgress: count,
  failed: count,
  skipped: count,
  cancelled: count,
  exceptions: count.describe('Items that failed with an unexpected error.'),
  warnings: count.describe('Non-blocking issues; they do not fail the run.'),
})
export type Counters = z.infer<typeof counters>

export const componentResult = z.strictObject({
  key: z.string(),
  label: z.string(),
  discovered: count,
  success: count.describe('Created and updated items; in a dry run, those that would be.'),
  matched: count.describe('Already in sync with the source: compared in this run, no write needed.'),
  failed: count,
  skipped: count.describe('Left alone, whether they differ or were not compared.'),
  pruned: count.describe('Destination-only items deleted under `replace`; 0 in a dry run, whose plan predicts them.'),
  errors: count.nullable().describe('Refusals by the platform; null before any call.'),
  total: count.describe('The number the store announced until its items are read, then the number discovered.'),
  widgets: count.optional().describe('Page widgets only: widget nodes copied to the destination; 0 in a dry run.'),
})
export type ComponentResult = z.infer<typeof componentResult>

export const phaseResult = z.strictObject({
  key: z.string(),
  label: z.string(),
  created: count,
  updated: count,
  skipped: count.describe('Left alone, whether they differ or were not compared.'),
  matched: count.describe('Already in sync with the source: compared in this run, no write needed.'),
  failed: count,
  pruned: count.describe('Destination-only items deleted under `replace`; 0 in a dry run, whose plan predicts them.'),
  total: count,
  components: z
    .array(componentResult)
    .describe('Mode `counts` leaves out what the store does not count, such as pictures and options of products.'),
})
export type PhaseResult = z.infer<typeof phaseResult>

export const tiers = ['small', 'medium', 'large', 'xlarge', 'xxlarge', 'xxxlarge'] as const
export type Tier = (typeof tiers)[number]

export const forecast = z.strictObject({
  products: count,
  variants: count,
  brands: count,
  categories: count,
  counts: z.record(z.string(), count).describe('Items of the scope by component key.'),
  estimated: z.array(z.string()).describe('Keys of `counts` that are estimates.'),
  memMB: count.describe('Memory of the run in MiB.'),
  cpus: z.number(),
  etaSeconds: count,
  etaBreakdown: z.record(z.string(), z.number()).describe('Seconds by phase key.'),
  etaAssumedRttMs: z.number(),
  etaAssumedMs: z.strictObject({ read: z.number(), write: z.number(), heavy: z.number() }),
  strategy: z.enum(conflictStrategies).optional().describe('Absent: priced as create-only.'),
  destProducts: count.optional().describe('Absent when the destination was unknown.'),
  tier: z.enum(tiers),
  basis: z.enum(['forecast', 'fallback', 'fix']).describe('`fallback`: the items could not be counted.'),
  at: dateTime,
})
export type Forecast = z.infer<typeof forecast>

const pageTemplates = z.strictObject({
  picked: z.array(z.string()).describe('The picked template files.'),
  globalsRequested: z.boolean().describe('Whether any pick includes the widgets on all pages.'),
  globalContextsPublished: count.describe(
    'Channels whose widgets on all pages are the same at the destination as in the source. 0 although requested: there were none, they failed, or it is a dry run.',
  ),
})

export const migrationDetail = z.strictObject({
  requestId: z.string(),
  platform: z.literal('BC'),
  source: storeRef,
  destination: storeRef,
  status: z.enum(migrationStatuses),
  autoHeal: z.boolean(),
  mode: z.enum(modes),
  conflictStrategy: z.enum(conflictStrategies),
  timestamps,
  progress,
  counters,
  phases: z.array(phaseResult),
  summaryLine: z.string(),
  failuresOpen: count,
  pageTemplates: pageTemplates.optional().describe('Only on selective page-template runs.'),
  forecast: forecast.nullable(),
  selective: z.boolean(),
  sourceStorefront: z.string().nullable(),
  destStorefront: z.string().nullable(),
})
export type MigrationDetail = z.infer<typeof migrationDetail>
