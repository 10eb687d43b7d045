import { v2Pages } from '../../bigcommerce/pages.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import { type Draft, draft, type LeftOut, outsideField, outsideOf, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import type { Reading } from '../core/reading.ts'
import { identity, type References } from '../core/references.ts'
import { leftOutWithChannel } from '../core/storefront-channels.ts'
import { withOutside } from '../core/with-outside.ts'
import { plainAmounts } from './plain-amounts.ts'

const zonesPath = '/v2/shipping/zones'
const methodsPath = (zoneId: string | undefined) => `${zonesPath}/${zoneId}/methods`

const zoneReading: Reading = { path: zonesPath, kind: 'staged', limit: 250, idField: 'id' }

/** One call per zone, because only the path tells which zone a method belongs to. */
const methodReading: Reading = {
  ...zoneReading,
  parts: {
    path: ({ id }) => methodsPath(String(id)),
    limit: 250,
    item: (method, { id }) => ({ ...method, zone_id: id }),
  },
}

function zoneDraft(item: PlatformItem): Draft {
  const { id, locations, ...rest } = item
  const areas = locationsOf(locations)
  const name = String(item.name ?? '')
  return draft(
    'shipping-zones',
    id,
    { ...rest, locations: areas },
    {
      compare: { ...amountsIn(rest), locations: areas.map((location) => JSON.stringify(location)).sort() },
      keys: [`${item.type}/name:${name.trim().toLowerCase()}`],
      name,
    },
  )
}

/** Locations without their ids, which differ between stores. Their order has no meaning. */
function locationsOf(locations: unknown): PlatformItem[] {
  if (!Array.isArray(locations)) return []
  return locations.map(({ zip, country_iso2, state_iso2 }: PlatformItem) => ({ zip, country_iso2, state_iso2 }))
}

function amountsIn(fields: PlatformItem): PlatformItem {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, namedAmounts(field, value)]))
}

/** A name may look like a number, so it stays as it is. */
function namedAmounts(field: string, value: unknown): unknown {
  return field === 'name' ? value : plainAmounts(value)
}

/** Methods with prices set by the store. All others get their prices from a carrier. */
export const ownPrices: readonly unknown[] = ['perorder', 'peritem', 'weight', 'total', 'freeshipping']

export function methodDraft(item: PlatformItem, references: References): Draft {
  const { id, zone_id, channel_ids, [outsideField]: _out, ...rest } = item
  const zone = references.need('shipping-zones', zone_id)
  const ids: unknown[] = Array.isArray(channel_ids) ? channel_ids : []
  const name = String(item.name ?? '')
  const keys = [`zone:${zone}/${item.type}/name:${name.trim().toLowerCase()}`]
  const about = { keys, name, parentId: String(zone) }
  const leftOut = whyLeftOut(item, ids, references)
  if (leftOut) return draft('shipping-methods', id, {}, { ...about, ...leftOut })
  const channels = ids.map((channel) => references.want('channels', channel)).filter((channel) => channel !== undefined)
  return draft(
    'shipping-methods',
    id,
    { ...rest, channel_ids: channels },
    {
      ...about,
      compare: { ...amountsIn(rest), channel_ids: channels.toSorted((a, b) => a - b) },
      outside: outsideOf(item),
      ...(!ownPrices.includes(item.type) && {
        uncreatable: `its prices come from the carrier (${item.type}), and the platform's API does not give out how a store is connected with one.`,
        remedy: 'Connect the carrier in the control panel of the destination and add the method there.',
      }),
    },
  )
}

/**
 * A method for none of the channels to which the run copies: without any, it is for all channels where the platform takes an
 * empty list for none given. Source: description of `channel_ids`.
 */
function whyLeftOut(item: PlatformItem, ids: unknown[], references: References): LeftOut | undefined {
  const known = ids.map((channel) => references.find('channels', channel))
  if (known.some((channel) => channel !== undefined)) return undefined
  if (ids.length > 0) return leftOutWithChannel
  // A method of the destination is read as it is.
  const isOfOthers = references.sourceHash !== undefined && (outsideOf(item).channel_ids ?? []).length > 0
  return isOfOthers ? ofOtherStorefronts : undefined
}

const ofOtherStorefronts = {
  uncreatable: 'it is for other storefronts than the chosen one.',
  remedy: 'Copy it with a migration of the whole store.',
}

/** Names are not documented to be unique, so a new item is found by subtracting those that existed before the call. */
const common = {
  data: 'catalogue',
  recovery: 'baseline',
  destinationOwned: [],
  carried: false,
  callsPerItem: { write: 1 },
} as const

export const shipping = defineEntity({
  key: 'shipping-zones',
  label: 'Shipping',
  group: 'settings',
  after: [],
  scope: 'store',
  prune: 'allowed',
  components: [
    {
      ...common,
      key: 'shipping-zones',
      label: 'Shipping zones',
      naturalKey: 'type and name, capitals aside',
      accepts: ['name', 'type', 'locations', 'free_shipping', 'handling_fees', 'enabled'],
      create: { batch: 1, call: ([only]) => ({ method: 'POST', path: zonesPath, body: only?.draft.body }) },
      update: {
        // The platform requires the name in every update.
        call: (desired, existing, _parentId, fields) => ({
          method: 'PUT',
          path: `${zonesPath}/${existing.id}`,
          body: { name: desired.body.name, ...chosenFields(desired.body, fields) },
        }),
      },
      remove: { call: (existing) => ({ method: 'DELETE', path: `${zonesPath}/${existing.id}` }) },
      probe: async (client) => {
        const found: Draft[] = []
        for await (const { items } of v2Pages<PlatformItem>(client, zonesPath)) found.push(...items.map(zoneDraft))
        return found
      },
    },
    {
      ...common,
      key: 'shipping-methods',
      label: 'Shipping methods',
      findings: ['carriers'],
      naturalKey: 'zone, type and name, capitals aside',
      accepts: ['name', 'type', 'settings', 'enabled', 'handling_fees', 'is_fallback', 'channel_ids'],
      create: {
        batch: 1,
        call: ([only]) => ({ method: 'POST', path: methodsPath(only?.parentId), body: only?.draft.body }),
      },
      update: {
        call: (desired, existing, _parentId, fields) => ({
          method: 'PUT',
          path: `${methodsPath(desired.parentId ?? '')}/${existing.id}`,
          body: withOutside(chosenFields(desired.body, fields), existing),
        }),
      },
      remove: {
        call: (existing, parentId) => ({ method: 'DELETE', path: `${methodsPath(parentId)}/${existing.id}` }),
      },
      probe: async (client, { parentIds }) => {
        const found: Draft[] = []
        for (const zone_id of parentIds)
          for await (const { items } of v2Pages<PlatformItem>(client, methodsPath(zone_id)))
            found.push(...items.map((item) => methodDraft({ ...item, zone_id }, identity)))
        return found
      },
    },
  ],
  notMoved: [
    {
      what: 'methods for none of the channels that a run copies to',
      why: 'without a channel they could be offered on all of them; each is reported',
    },
    {
      what: 'methods with prices of a carrier, and how a store is connected with it',
      why: "the platform's API accepts credentials and never gives them out; a warning names each such method",
    },
  ],
  passes: [
    {
      key: 'shipping-zones',
      label: 'Shipping zones',
      root: 'shipping-zones',
      source: zoneReading,
      destination: { ...zoneReading, complete: true },
      lookUpById: { address: (id) => `${zonesPath}/${id}` },
      drafts: zoneDraft,
    },
    {
      key: 'shipping-methods',
      label: 'Shipping methods',
      root: 'shipping-methods',
      below: 'shipping-zones',
      source: methodReading,
      destination: { ...methodReading, complete: true },
      sets: [{ field: 'channel_ids', of: 'channels' }],
      drafts: methodDraft,
    },
  ],
})
