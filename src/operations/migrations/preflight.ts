import { z } from 'zod'
import type { StoreClient } from '../../bigcommerce/client.ts'
import { PlatformError } from '../../bigcommerce/errors.ts'
import type { StoreInformation } from '../../bigcommerce/store-information.ts'
import { forecastInput } from '../../contract/forecast.ts'
import type { ConflictStrategy } from '../../contract/modes.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { accessStates } from '../../contract/stores.ts'
import type { StoreRow } from '../../db/accounts/stores.ts'
import { listRuns } from '../../db/reports/run-history.ts'
import { MappingBook } from '../../engine/core/references.ts'
import { RunFailure } from '../../engine/core/stopping.ts'
import { reportedAt } from '../../engine/preflight/findings.ts'
import { probesOf } from '../../engine/preflight/scope-probes.ts'
import { readFacts } from '../../engine/preflight/shop-facts.ts'
import { earlierPairs, matchChannels } from '../../engine/scope/pair-channels.ts'
import { channelsAt } from '../../entities/core/storefront-channels.ts'
import { isCopiedOrder } from '../../entities/orders/orders.ts'
import { componentOf } from '../../entities/registry.ts'
import { panelScopes } from '../../entities/token-scopes.ts'
import { type Finding, findings } from '../../model/preflight-findings.ts'
import { liveRead } from '../shared/live-read.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'
import {
  entitiesInScope,
  isSelective,
  refuseUnknownPicks,
  refuseUnknownStorefronts,
} from '../shared/runs/read-scope.ts'
import { findPair, phasesInScope, refuseUnknownComponents } from '../shared/runs/run-scope.ts'
import { lookAtStore, type StoreLook } from '../shared/store-access.ts'

const sides = ['source', 'destination'] as const
type Side = (typeof sides)[number]
type Pair = Record<Side, StoreRow>
type Shops = Record<Side, StoreInformation>

const stop = z.strictObject({
  code: z.enum(['store_refused', 'store_silent', 'missing_scope']),
  side: z.enum(sides),
  message: z.string(),
  remedy: z.string(),
})

const finding = z.strictObject({
  code: z.string().describe('An issue code; the run reports the same as a warning.'),
  phase: z.string(),
  component: z.string(),
  label: z.string().describe('Of the component.'),
  message: z.string(),
  remedy: z.string(),
})

const access = z.strictObject({ state: z.enum(accessStates), missingScopes: z.array(z.string()) })

/** With this many orders the shop is clearly in use, so no more are counted. */
const mostOrders = 50
const busyStatuses = ['in_progress', 'queued'] as const

export const preflight = defineOperation({
  name: 'preflight',
  summary: 'What would stop a migration and what it will leave behind, without creating one.',
  input: forecastInput,
  output: z.strictObject({
    stops: z.array(stop).describe('The migration would fail before its first write.'),
    notCopied: z.array(finding).describe('Of this source. Pictures are not fetched here; a dry run does that.'),
    goodToKnow: z.array(finding),
    access: z.strictObject({ source: access, destination: access }),
    destinationBusy: z
      .strictObject({ requestId: z.string(), label: z.string().nullable() })
      .nullable()
      .describe('The migration that writes to the destination now, or will before this one.'),
    destinationLive: z
      .strictObject({ ordersIn30Days: z.int(), domain: z.string() })
      .nullable()
      .describe(`Set if the destination took orders in the last 30 days; counted up to ${mostOrders}.`),
  }),
  async run(input, { organisationId }, deps) {
    refuseUnknownPicks(input)
    refuseUnknownComponents(input)
    const phases = phasesInScope(entitiesInScope(input), input.themes).map(({ key }) => key)
    const stores = await findPair(deps.database, organisationId, input)
    const [source, destination] = await Promise.all([
      lookAtStore(stores.source, deps),
      lookAtStore(stores.destination, deps),
    ])
    const looks = { source, destination }
    const stops = sides.flatMap((side) => stopsOf(side, stores[side], looks[side], phases))
    const known = {
      access: { source: accessOf(source), destination: accessOf(destination) },
      destinationBusy: await findBusy(deps, organisationId, stores.destination),
    }
    const shops = { source: source.information, destination: destination.information }
    const unread = { stops, notCopied: [], goodToKnow: [], ...known, destinationLive: null }
    if (!shops.source || !shops.destination) return unread
    const about = { source: shops.source, destination: shops.destination }
    const found = await lookAround(deps, stores, about, {
      ...input,
      phases,
      selective: isSelective(input),
      conflictStrategy: input.conflictStrategy ?? 'skip',
    }).catch((error: unknown) => {
      // A token that lacks a scope that every copy needs: the stop names it.
      if (stops.length > 0 && error instanceof ServiceError && error.code === 'platform_error') return null
      throw error
    })
    if (!found) return unread
    const described = found.findings.flatMap((one) => describe(one, phases))
    return {
      stops,
      notCopied: described.filter(({ code }) => code === 'not_copied'),
      goodToKnow: described.filter(({ code }) => code !== 'not_copied'),
      ...known,
      destinationLive: found.orders === 0 ? null : { ordersIn30Days: found.orders, domain: about.destination.domain },
    }
  },
})

function accessOf({ state, missingScopes }: StoreLook) {
  return { state, missingScopes }
}

function stopsOf(side: Side, { label }: StoreRow, look: StoreLook, phases: string[]): z.infer<typeof stop>[] {
  if (look.state === 'refused')
    return [
      {
        code: 'store_refused',
        side,
        message: `${label} does not accept its API token.`,
        remedy: 'Create an API account in its control panel and connect the store again with the new token.',
      },
    ]
  if (look.state === 'silent')
    return [
      { code: 'store_silent', side, message: `${label} does not respond.`, remedy: 'Try again when the store is up.' },
    ]
  const needed = probesOf(phases).map(({ scope }) => scope)
  const names = panelScopes
    .filter(({ read }) => needed.includes(read) && look.missingScopes.includes(read))
    .map(({ name }) => name)
  if (names.length === 0) return []
  return [
    {
      code: 'missing_scope',
      side,
      message: `The API token of ${label} lacks the scope ${names.join(', ')}.`,
      remedy: 'Give its API account the scope in the control panel, then check again.',
    },
  ]
}

async function findBusy({ database }: Deps, organisationId: string, { hash }: StoreRow) {
  const filters = { destination: hash, status: busyStatuses, mode: ['full'] as const }
  const [run] = await listRuns(database, organisationId, filters, { after: null, limit: 1, sort: 'created' })
  return run ? { requestId: run.id, label: run.label } : null
}

interface Requested extends z.infer<typeof forecastInput> {
  phases: string[]
  selective: boolean
  conflictStrategy: ConflictStrategy
}

/** Reads both stores while the caller waits, and writes nothing. */
async function lookAround(
  deps: Deps,
  stores: Pair,
  shops: Shops,
  run: Requested,
): Promise<{ findings: Finding[]; orders: number }> {
  await refuseUnknownStorefronts(deps, stores, run)
  const { organisationId } = stores.source
  const pair = { organisationId, sourceStoreId: stores.source.id, destinationStoreId: stores.destination.id }
  const storefronts = { source: run.sourceStorefront, destination: run.destStorefront }
  const client = (side: Side) => deps.openStore(stores[side], { readOnly: true })
  const looking = {
    run,
    pair,
    stores: {
      source: { side: 'source' as const, hash: stores.source.hash },
      destination: { side: 'destination' as const, hash: stores.destination.hash },
    },
    database: deps.database,
    source: client('source'),
    destination: client('destination'),
    mappings: new MappingBook(deps.database, pair, storefronts),
  }
  try {
    return await liveRead(deps.clock, async (stop) => {
      const [ours = [], theirs = []] = await Promise.all(
        sides.map((side) => channelsAt(looking[side], { signal: stop })),
      )
      const earlier = await earlierPairs(looking.mappings, ours)
      const { unpaired } = matchChannels(run, shops, { source: ours, destination: theirs, earlier })
      const { facts } = await readFacts({ ...looking, lease: { stop } }, shops, { all: ours, unpaired })
      // These are only known once something has been downloaded or written. With these values there are no findings
      // about them.
      const unknown = { clientChanged: false, pictures: { looked: 0, served: 0, originals: true } }
      const orders = await countRecentOrders(looking.destination, deps.clock.now(), stop)
      return { findings: findings({ ...facts, ...unknown }), orders }
    })
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error
    throw new ServiceError('unavailable', 'A store does not respond. Try again in a minute.', {
      retryAfterSeconds: 60,
      cause: error,
    })
  } finally {
    await deps.leaveStores([stores.source.hash, stores.destination.hash])
  }
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Pages of the newest orders. The later ones are read only if all before are copies of an earlier migration, among which
 * those of the shop are hidden. More of them would keep the caller waiting.
 */
const looks = [
  { limit: mostOrders, page: 1 },
  { limit: 250, page: 1 },
  { limit: 250, page: 2 },
]

/** 0 if the token may not read orders. */
async function countRecentOrders(client: StoreClient, now: Date, signal: AbortSignal): Promise<number> {
  const since = new Date(now.getTime() - 30 * dayMs).toISOString()
  try {
    for (const look of looks) {
      const query = { min_date_created: since, sort: 'date_created:desc', ...look }
      const { body } = await client.get('/v2/orders', query, { signal })
      // An empty list has no body.
      const orders = Array.isArray(body) ? body : []
      const own = orders.filter((order) => !isCopiedOrder(order)).length
      if (own > 0 || orders.length < look.limit) return Math.min(own, mostOrders)
    }
    return 0
  } catch (error) {
    if (error instanceof PlatformError) return 0
    throw error
  }
}

function describe(found: Finding, phases: string[]): z.infer<typeof finding>[] {
  const where = reportedAt(phases, found)
  if (!where) return []
  const { code, message, remedy } = found
  return [{ code, ...where, label: componentOf(where.component).label, message, remedy }]
}
