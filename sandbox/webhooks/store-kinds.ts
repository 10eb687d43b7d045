import type { Where } from '../http/listing.ts'
import { channelsTable } from '../resources/channels/channels.ts'
import { currencyTable } from '../resources/channels/currencies.ts'
import { siteRoutesTable, sitesTable } from '../resources/channels/sites.ts'
import { locationTable } from '../resources/inventory/location-rows.ts'
import type { Row, SandboxStore, Table } from '../store/store.ts'
import { priceAssignmentTable, priceListTable } from '../tables/price-tables.ts'
import { priceRecordTable, variantTable } from '../tables/product-tables.ts'
import { type Changes, changedFields, dataOf, idsIn, type WatchedCall, type WatchedKind } from './row-changes.ts'
import type { StoreEvent } from './store-event.ts'

type Data = (row: Row) => unknown
type TableOf = (store: SandboxStore) => Table

/**
 * All rows of a table, for tables that are always short. So there is no need to work out which children a call changes.
 */
const all =
  (table: TableOf) =>
  ({ request }: WatchedCall): Row[] =>
    table(request.store).find({})

/** Dates that every write sets. */
const DATES = ['date_modified', 'updated_at', 'last_updated']

function lifeEvents(path: (row: Row) => string | undefined, data: Data, changes: Changes): StoreEvent[] {
  const event = (word: string, rows: Row[]) =>
    rows.flatMap((row) => {
      const scope = path(row)
      return scope === undefined ? [] : [{ scope: `${scope}/${word}`, data: data(row) }]
    })
  return [
    ...event('created', changes.created),
    ...event(
      'updated',
      changes.updated.map(({ after }) => after),
    ),
    ...event('deleted', changes.deleted),
  ]
}

/** Deleting a category deletes those below it too, so it takes all categories to find them. */
function categoryRows(call: WatchedCall): Row[] {
  const { store, method, body, params } = call.request
  const shown = dataOf(call)
  const ids = [...idsIn(body, 'category_id'), ...idsIn(shown, 'category_id'), ...idsIn(shown)]
  if (params.categoryId !== undefined) ids.push(Number(params.categoryId))
  const rows = store.table('categories').find(method === 'DELETE' ? {} : { id: ids })
  return rows.map((row) => ({ ...row, channel_id: store.table('category_trees').get(Number(row.tree_id))?.channel_id }))
}

/** Each change of a category raises two events: for the store, and for the channel of its tree. */
export const categories: WatchedKind = {
  rows: categoryRows,
  silent: ['views'],
  events: (changes) => [
    ...lifeEvents(
      () => 'store/category',
      ({ id }) => ({ type: 'category', id }),
      changes,
    ),
    ...lifeEvents(
      ({ channel_id }) => (channel_id ? `store/channel/${channel_id}/category` : undefined),
      ({ id, tree_id }) => ({ category_id: id, tree_id }),
      changes,
    ),
  ],
}

/** One event per channel that the changed rows belong to, whatever changed. */
function touched({ created, updated, deleted }: Changes, event: (row: Row) => StoreEvent): StoreEvent[] {
  const rows = [...created, ...updated.map(({ after }) => after), ...deleted]
  return [...new Map(rows.map(event).map((one) => [`${one.scope} ${JSON.stringify(one.data)}`, one])).values()]
}

export const categoryTrees: WatchedKind = {
  rows: all((store) => store.table('category_trees')),
  events: (changes) =>
    touched(changes, ({ id, channel_id }) => ({
      scope: `store/channel/${channel_id}/categoryTree/updated`,
      data: { tree_id: id },
    })),
}

export const channels: WatchedKind = {
  rows: all(channelsTable),
  silent: DATES,
  events: (changes) =>
    lifeEvents(
      () => 'store/channel',
      ({ id }) => ({ type: 'channel', id }),
      changes,
    ),
}

/** Setting or removing a site's checkout address raises an event of its own. */
export const checkoutUrls: WatchedKind = {
  rows: all(sitesTable),
  events: ({ updated }) =>
    updated
      .filter(({ before, after }) => (before.checkout_url || '') !== (after.checkout_url || ''))
      .map(({ after: { id, channel_id, checkout_url } }) => ({
        scope: `store/channel/${channel_id}/settings/site/checkoutUrl/${checkout_url ? 'updated' : 'deleted'}`,
        data: { site_id: id },
      })),
}

export const sites: WatchedKind = {
  rows: all(sitesTable),
  silent: DATES,
  events: (changes) =>
    touched(changes, ({ id, channel_id }) => ({
      scope: `store/channel/${channel_id}/settings/site/updated`,
      data: { site_id: id },
    })),
}

export const siteRoutes: WatchedKind = {
  rows: ({ request: { store, params } }) => siteRoutesTable(store).find({ site_id: Number(params.siteId) }),
  events: (changes, { request: { store } }) =>
    touched(changes, ({ site_id }) => ({
      scope: `store/channel/${sitesTable(store).get(Number(site_id))?.channel_id}/settings/route/updated`,
      data: { site_id },
    })),
}

/** A deletion raises no event. Source: BigCommerce "Inventory and location webhooks". */
export const locations: WatchedKind = {
  rows: all(locationTable),
  silent: DATES,
  events: (changes) =>
    lifeEvents(
      () => 'store/inventory/location',
      ({ id }) => ({ location_id: id }),
      { ...changes, deleted: [] },
    ),
}

/** Enabling or disabling a list raises an event of its own. Source: "Price lists" of BigCommerce "Webhook events". */
export const priceLists: WatchedKind = {
  rows: all(priceListTable),
  silent: DATES,
  events: ({ created, updated, deleted }, { request }) => {
    const event = (word: string, { id }: Row) => ({ scope: `store/priceList/${word}`, data: { price_list_id: id } })
    return [
      ...created.map((row) => event('created', row)),
      ...updated.flatMap(({ before, after }) => [
        ...(changedFields(before, after, [...DATES, 'active']).length > 0 ? [event('updated', after)] : []),
        ...(before.active === after.active ? [] : [event(after.active ? 'activated' : 'deactivated', after)]),
      ]),
      ...deletedLists(deleted, request.params.priceListId === undefined, event),
    ]
  },
}

function deletedLists(lists: Row[], inBulk: boolean, event: (word: string, row: Row) => StoreEvent): StoreEvent[] {
  if (!inBulk) return lists.map((row) => event('deleted', row))
  const price_list_ids = lists.map(({ id }) => id)
  return lists.length === 0 ? [] : [{ scope: 'store/priceLists/deleted', data: { price_list_ids } }]
}

/** The prices of the variants in the body, of the variant in the path, or of the whole list. */
function priceRows({ request: { store, params, body, method } }: WatchedCall): Row[] {
  const ofList: Where = params.priceListId === undefined ? {} : { price_list_id: Number(params.priceListId) }
  if (params.variantId !== undefined)
    return priceRecordTable(store).find({ ...ofList, variant_id: Number(params.variantId) })
  if (method === 'DELETE') return priceRecordTable(store).find(ofList)
  const rows: unknown[] = Array.isArray(body) ? body : []
  const skus = rows.flatMap((row) => (row as { sku?: unknown } | null)?.sku ?? []).map(String)
  const named = [...idsIn(rows, 'variant_id'), ...idsIn(variantTable(store).find({ sku_key: skus }))]
  return priceRecordTable(store).find({ ...ofList, variant_id: named })
}

const priceData: Data = ({ price_list_id, variant_id, currency }) => ({
  price_list_id,
  variant_id,
  currency: String(currency).toUpperCase(),
})

/**
 * A single price has its own event; a batch has one for all its prices. Source: "Price list records" of BigCommerce
 * "Webhook events".
 */
export const priceRecords: WatchedKind = {
  rows: priceRows,
  silent: DATES,
  events: (changes, { request }) => {
    if (request.params.variantId !== undefined) return lifeEvents(() => 'store/priceList/record', priceData, changes)
    const { created, updated, deleted } = changes
    const groups = { created, updated: updated.map(({ after }) => after), deleted }
    return Object.entries(groups).flatMap(([word, rows]) =>
      rows.length === 0 ? [] : [{ scope: `store/priceList/records/${word}`, data: rows.map(priceData) }],
    )
  },
}

/** A new assignment also counts as an update. Source: "Price list assignments" of BigCommerce "Webhook events". */
export const priceListAssignments: WatchedKind = {
  rows: all(priceAssignmentTable),
  events: ({ created, updated, deleted }) => {
    const event = (word: string, rows: Row[]) =>
      rows.map(({ price_list_id, channel_id, customer_group_id }) => ({
        scope: `store/priceList/assignment/${word}`,
        data: { price_list_id, channel_id, customer_group_id },
      }))
    return [...event('updated', [...created, ...updated.map(({ after }) => after)]), ...event('deleted', deleted)]
  },
}

const INFORMATION_UPDATED: StoreEvent = { scope: 'store/information/updated', data: { type: 'store' } }

/** Groups of settings, with the scope for each. Other groups raise no event. Source: BigCommerce "Channel webhooks". */
const SETTINGS_SCOPES: Record<string, string> = {
  'store/profile': 'settings/profile/updated',
  logo: 'settings/logo/updated',
  catalog: 'settings/catalog/updated',
  'storefront/seo': 'settings/SEO/updated',
  'storefront/robotstxt': 'settings/robots/updated',
  'storefront/category': 'settings/category/updated',
  'storefront/product': 'settings/product/updated',
  'inventory/notifications': 'notifications/inventory/updated',
}

/** Groups that are part of the store's information. Source: "Store information updated events". */
const INFORMATION = ['store/profile', 'store/locale', 'store/units-of-measurement']

/** Channel 0 is the whole store, whose settings apply to every storefront. */
function channelsOf(store: SandboxStore, { channel_id }: Row): unknown[] {
  return channel_id === 0
    ? channelsTable(store)
        .find({ type: 'storefront' })
        .map(({ id }) => id)
    : [channel_id]
}

function emailStatuses(before: Row | undefined, after: Row): string[] {
  const values = (row: Row | undefined) => ({ id: 0, ...(row?.values as object | undefined) })
  return changedFields(values(before), values(after))
}

function settingsEvents(store: SandboxStore, before: Row | undefined, after: Row): StoreEvent[] {
  const name = String(after.name)
  const general = after.channel_id === 0 && INFORMATION.includes(name) ? [INFORMATION_UPDATED] : []
  const scope = SETTINGS_SCOPES[name]
  const ofChannel = channelsOf(store, after).flatMap((id) => {
    if (name !== 'email-statuses') return scope ? [{ scope: `store/channel/${id}/${scope}`, data: {} }] : []
    return emailStatuses(before, after).map((template_kind) => ({
      scope: `store/channel/${id}/settings/emailStatus/updated`,
      data: { template_kind },
    }))
  })
  return [...general, ...ofChannel]
}

export const settings: WatchedKind = {
  rows: all((store) => store.table('settings', ['name', 'channel_id'])),
  events: ({ created, updated }, { request: { store } }) => [
    ...created.flatMap((row) => settingsEvents(store, undefined, row)),
    ...updated.flatMap(({ before, after }) => settingsEvents(store, before, after)),
  ],
}

/** Only the default currency is part of the store's information. Source: "Store information updated events". */
export const currencies: WatchedKind = {
  rows: all(currencyTable),
  silent: DATES,
  events: ({ created, updated }) =>
    [...created, ...updated.map(({ after }) => after)].some((row) => row.is_default) ? [INFORMATION_UPDATED] : [],
}

export const channelCurrencies: WatchedKind = {
  rows: all((store) => store.table('channel_currencies', ['channel_id'])),
  events: (changes) =>
    touched(changes, ({ channel_id }) => ({
      scope: `store/channel/${channel_id}/settings/currency/updated`,
      data: {},
    })),
}

/**
 * Metafields of the store itself raise no event for their kind of owner. Source: "Metafields" of BigCommerce "Webhook
 * events".
 */
export const storeMetafields = metafieldsOf(undefined, 'store', (store) => store.table('store_metafields'))

/** Raised once for the kind of owner, and once for metafields of any kind. Source: BigCommerce "Webhook events". */
export function metafieldsOf(owner: string | undefined, resourceType: string, table: TableOf): WatchedKind {
  const data = ({ id, resource_id }: Row) => ({ metafield_id: id, resource_id: String(resource_id) })
  return {
    rows: (call) => {
      const { store, params, body } = call.request
      const named = params.metafieldId === undefined ? idsIn(body) : [Number(params.metafieldId)]
      return table(store).find({ id: [...named, ...idsIn(dataOf(call))] })
    },
    silent: DATES,
    events: (changes) => [
      ...lifeEvents(() => owner && `store/${owner}/metafield`, data, changes),
      ...lifeEvents(
        () => 'store/metafield',
        (row) => ({ ...data(row), resource_type: resourceType }),
        changes,
      ),
    ],
  }
}
