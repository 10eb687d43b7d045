import type { StoreClient } from '../../bigcommerce/client.ts'
import { CredentialsError } from '../../bigcommerce/errors.ts'
import type { Query } from '../../bigcommerce/query.ts'
import type { StoreInformation } from '../../bigcommerce/store-information.ts'
import type { Database } from '../../db/core/database.ts'
import type { StorePair } from '../../db/ledger/store-pair.ts'
import { countMapped } from '../../db/runs/preflights.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import { isThere } from '../../entities/core/storefront-channels.ts'
import { itemWords } from '../../entities/item-words.ts'
import { paidAmong } from '../../entities/pricing/currencies.ts'
import { componentOf, entities, limitedComponents, reporterOf } from '../../entities/registry.ts'
import { ownPrices } from '../../entities/settings/shipping.ts'
import type { OpeningCalls } from '../../model/forecast/call-totals.ts'
import type {
  CarrierFacts,
  FindingTopic,
  PreflightFacts,
  PromotionFacts,
  StoreTotal,
} from '../../model/preflight-findings.ts'
import type { RunRequest } from '../core/messages.ts'
import { type MappingBook, namesIn } from '../core/references.ts'
import { refusalIn } from '../core/refusals.ts'
import type { StoreInRun } from '../core/store-failures.ts'
import { confirmAnswers } from './enter-stores.ts'
import { otherSourcesOf } from './other-sources-of.ts'

type Side = 'source' | 'destination'

/** What it takes to look at both stores, for a run or for a request that does not start one. */
export interface Looking {
  readonly run: Pick<
    RunRequest,
    'mode' | 'phases' | 'conflictStrategy' | 'customerConsent' | 'selective' | 'sourceStorefront'
  >
  readonly stores: Readonly<Record<Side, StoreInRun>>
  readonly pair: Readonly<StorePair>
  readonly database: Database
  readonly source: StoreClient
  readonly destination: StoreClient
  readonly mappings: Pick<MappingBook, 'mappings' | 'scope'>
  readonly lease: { readonly stop: AbortSignal }
}

/** Channels of the source. */
export interface SourceChannels {
  all: readonly PlatformItem[]
  unpaired: readonly PlatformItem[]
}

type Named = ReturnType<typeof namesIn>[number]

/** How many products and metafields are sampled. A larger page would be slow; a smaller one would miss rare cases. */
const sampleSize = 100
/** How many zones have their shipping methods read: each takes a call. */
const mostZones = 3
/** How many names a message lists; more would help no reader. */
const mostNamed = 5

/** Whether a run copies what a finding is about; if not, there is nothing to warn about. */
export function concerns(phases: readonly string[], topic: FindingTopic): boolean {
  return phases.includes(reporterOf(topic).entity.key)
}

/**
 * What the two stores show without any write or download, along with the sampled products.
 *
 * @param paid currencies in which the destination takes payments, if that was read already
 */
export async function readFacts(
  context: Looking,
  stores: Record<Side, StoreInformation>,
  channels: SourceChannels,
  paid?: readonly string[] | null,
): Promise<{ facts: Omit<PreflightFacts, 'pictures' | 'clientChanged'>; products: PlatformItem[] }> {
  const [products, digital, payments, metafields, consentEnabled, totals, otherSources, around] = await Promise.all([
    list(context, 'source', '/v3/catalog/products', { limit: sampleSize, include: 'images' }),
    list(context, 'source', '/v3/catalog/products', { limit: 1, type: 'digital' }),
    list(context, 'source', '/v2/payments/methods', {}),
    list(context, 'source', '/v3/catalog/products/metafields', { limit: sampleSize }),
    consentOf(context),
    totalsOf(context),
    otherSourcesOf(context),
    aroundTheCatalogue(context, channels, paid),
  ])
  const facts = {
    settings: { source: stores.source, destination: stores.destination },
    totals,
    otherSources,
    sample: sampleOf(products),
    digitalProducts: digital?.total ?? null,
    paymentMethods: payments?.total ?? null,
    metafields: metafields && ownersOf(metafields.items),
    consentEnabled,
    channels: channelFacts(context, channels),
    activeStorefrontLimit: stores.destination.features?.storefront_limits?.active ?? null,
    ...around,
  }
  return { facts, products: products?.items ?? [] }
}

/** Reads only what the run copies. */
async function aroundTheCatalogue(
  context: Looking,
  channels: SourceChannels,
  paid: readonly string[] | null | undefined,
) {
  const isRelevant = (topic: FindingTopic) => concerns(context.run.phases, topic)
  const [currenciesPaidIn, carriers, promotions] = await Promise.all([
    isRelevant('payments-in-currencies') ? currenciesOf(context, paid) : [],
    isRelevant('carriers') ? carriersOf(context) : { looked: 0, total: 0, quoting: [] },
    isRelevant('promotions-left-off')
      ? promotionsOf(context, channels)
      : { looked: 0, incomplete: 0, missingNames: [] },
  ])
  return { currenciesPaidIn, carriers, promotions }
}

/** Currencies in which a store takes payments; null if it refuses to list them. */
export async function paidCurrenciesOf(context: Looking, side: Side): Promise<string[] | null> {
  const found = await list(context, side, '/v2/currencies', { limit: 250 })
  return found && paidAmong(found.items)
}

async function currenciesOf(context: Looking, read: readonly string[] | null | undefined): Promise<string[]> {
  const [source, destination] = await Promise.all([
    paidCurrenciesOf(context, 'source'),
    read === undefined ? paidCurrenciesOf(context, 'destination') : read,
  ])
  return source && destination ? source.filter((code) => !destination.includes(code)) : []
}

/** Each zone has a list of its own. */
async function carriersOf(context: Looking): Promise<CarrierFacts> {
  const zones = (await list(context, 'source', '/v2/shipping/zones', {}))?.items ?? []
  const some = zones.slice(0, mostZones)
  const methods = await Promise.all(
    some.map(({ id }) => list(context, 'source', `/v2/shipping/zones/${id}/methods`, {})),
  )
  const types = methods.flatMap((found) => found?.items ?? []).map(({ type }) => type)
  const quoting = types.filter((type) => !ownPrices.includes(type)).map(String)
  return { looked: some.length, total: zones.length, quoting }
}

/** Skipped in a partial run, which leaves out far more than what its promotions refer to. */
async function promotionsOf(context: Looking, channels: SourceChannels): Promise<PromotionFacts> {
  const { run, mappings } = context
  const none = { looked: 0, incomplete: 0, missingNames: [] }
  const { entity, component } = reporterOf('promotions-left-off')
  const pass = entity.passes.find(({ root }) => root === component.key)
  if (!pass || run.selective || run.sourceStorefront !== null) return none
  const query = { limit: sampleSize, status: 'ENABLED' }
  const found = await list(context, 'source', pass.source.path, query)
  const isCopied = (component: string) =>
    entities.some(({ key, components }) => run.phases.includes(key) && components.some((one) => one.key === component))
  const named = (found?.items ?? []).map((item) => namesIn(pass, item).filter(({ component }) => !isCopied(component)))
  const known = await mappings.mappings(named.flat())
  const missing = named.map((names) =>
    names.filter((one) => !known.has(`${one.component}:${one.sourceId}`) && !isPaired(channels, one)),
  )
  const missingNames = missing.flat().map((one) => wordsOf(channels, one))
  return {
    looked: named.length,
    incomplete: missing.filter((names) => names.length > 0).length,
    missingNames: [...new Set(missingNames)].slice(0, mostNamed),
  }
}

/**
 * Before the first run between two stores nothing is mapped yet, but their channels may have counterparts all the same.
 */
function isPaired({ all, unpaired }: SourceChannels, { component, sourceId }: Named): boolean {
  const has = (channels: readonly PlatformItem[]) => channels.some(({ id }) => String(id) === sourceId)
  return component === 'channels' && has(all) && !has(unpaired)
}

function wordsOf({ all }: SourceChannels, { component, sourceId }: Named): string {
  const channel = component === 'channels' ? all.find(({ id }) => String(id) === sourceId) : undefined
  return channel ? `channel "${channel.name}"` : itemWords({ component, id: sourceId })
}

/**
 * The client id of our API account, read from one of its webhooks: an account sees only its own. Null when it has none.
 */
export async function clientOfHooks(context: Looking): Promise<string | null> {
  const hooks = await list(context, 'destination', '/v3/hooks', { limit: 1 })
  const client = hooks?.items[0]?.client_id
  return typeof client === 'string' && client !== '' ? client : null
}

/** How many calls the findings take, except those for shipping methods: the number of zones is not known beforehand. */
export function findingCalls({
  phases,
  customerConsent,
  selective,
  sourceStorefront,
}: Pick<Looking['run'], 'phases' | 'customerConsent' | 'selective' | 'sourceStorefront'>): OpeningCalls {
  const callsIf = (topic: FindingTopic, applies = true) => (applies && concerns(phases, topic) ? 1 : 0)
  const totals = selective ? 0 : limitedComponents.length
  const currencies = callsIf('payments-in-currencies')
  const [sample, hooks] = [4, 1]
  const alone = callsIf('consents', !customerConsent) + callsIf('carriers')
  const promotions = callsIf('promotions-left-off', !selective && sourceStorefront === null)
  return { source: sample + totals + currencies + alone + promotions, destination: hooks + totals + currencies }
}

interface List {
  items: PlatformItem[]
  total: number
}

/**
 * Null when the store refuses: the copy itself may need neither this answer nor the scope for it.
 *
 * @throws RunFailure
 */
async function readOrNull<Body>(context: Looking, side: Side, path: string, query: Query): Promise<Body | null> {
  try {
    return (await context[side].get<Body>(path, query, { signal: context.lease.stop })).body
  } catch (error) {
    const refusal = refusalIn(error)
    if (!refusal || error instanceof CredentialsError) throw error
    if (refusal.suspect === 'outage') await confirmAnswers(context, side)
    return null
  }
}

async function consentOf(context: Looking): Promise<boolean | null> {
  // Saves a call in a run that copies no customers, or copies their consent with them.
  if (context.run.customerConsent || !concerns(context.run.phases, 'consents')) return null
  type Settings = { data: { privacy_settings?: { ask_shopper_for_tracking_consent?: boolean } } }
  const settings = await readOrNull<Settings>(context, 'source', '/v3/customers/settings', {})
  return settings?.data.privacy_settings?.ask_shopper_for_tracking_consent ?? null
}

async function list(context: Looking, side: Side, path: string, query: Query): Promise<List | null> {
  const body = await readOrNull<ListBody>(context, side, path, query)
  if (body === null) return null
  // v2 answers with a bare array, and with no content for an empty list.
  if (body === undefined || Array.isArray(body)) return { items: body ?? [], total: body?.length ?? 0 }
  if (!Array.isArray(body.data)) return null
  return { items: body.data, total: body.meta?.pagination?.total ?? body.data.length }
}

type ListBody = PlatformItem[] | undefined | { data: PlatformItem[]; meta?: { pagination?: { total?: number } } }

/** Picked items are too few to reach a limit, so their totals are not read. */
function totalsOf(context: Looking): Promise<StoreTotal[]> {
  const count = async (side: Side, path: string) =>
    context.run.selective ? null : ((await list(context, side, path, { limit: 1 }))?.total ?? null)
  return Promise.all(
    limitedComponents.map(async ({ component, most, pass }) => {
      const [source, destination, mapped] = await Promise.all([
        count('source', pass.source.path),
        count('destination', pass.source.path),
        countMapped(context.database, context.pair, component),
      ])
      return { component, label: componentOf(component).label, most, source, destination, mapped }
    }),
  )
}

/** Files uploaded by WebDAV or the image manager. */
const storeFiles = /["'(\s,](https?:\/\/[^"'\s/]+)?\/(content|product_images\/uploaded_images)\//

function sampleOf(products: List | null): PreflightFacts['sample'] {
  const items = products?.items ?? []
  const count = (has: (product: PlatformItem) => boolean) => items.filter(has).length
  return {
    looked: items.length,
    total: products?.total ?? 0,
    withStoreFiles: count(({ description }) => storeFiles.test(String(description ?? ''))),
    withSharedOptions: count(({ option_set_id }) => typeof option_set_id === 'number' && option_set_id > 0),
    withGiftWraps: count(({ gift_wrapping_options_type }) => gift_wrapping_options_type === 'list'),
  }
}

/**
 * Each metafield names the account that wrote it. Which one is ours at the source is not known, so we assume the one
 * with the most metafields.
 */
function ownersOf(metafields: PlatformItem[]): NonNullable<PreflightFacts['metafields']> {
  const owners = [...Map.groupBy(metafields, ({ owner_client_id }) => owner_client_id).values()]
  const most = Math.max(0, ...owners.map((own) => own.length))
  return { looked: metafields.length, ofOthers: metafields.length - most }
}

/** In a storefront run both storefronts were chosen, so none counts as unpaired. */
function channelFacts({ run }: Looking, { all, unpaired }: SourceChannels): PreflightFacts['channels'] {
  const chosen = run.sourceStorefront !== null
  return {
    storefronts: all.filter((channel) => channel.type === 'storefront' && isThere(channel)).length,
    unpaired: chosen ? [] : unpaired.filter(isThere).map(({ name }) => String(name)),
  }
}
