import type { StoreClient } from '../../bigcommerce/client.ts'
import { titleOf } from '../../bigcommerce/errors.ts'
import { offsetPages } from '../../bigcommerce/pages.ts'
import { numberOf } from '../../model/destination-id.ts'
import type { WriteResult } from '../core/calls.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import type { Reading } from '../core/reading.ts'
import { identity, type References } from '../core/references.ts'
import { rowsByDraft } from '../core/saved-by-key.ts'

const zonesPath = '/v3/tax/zones'
const ratesPath = '/v3/tax/rates'
const propertiesPath = '/v3/tax/properties'

/** The zone for shoppers to whom no other applies. Every store has it, and no store can create it. */
const defaultZoneId = 1
const isDefaultZone = (id: unknown) => Number(id) === defaultZoneId

/** None of these lists is paginated. */
const whole = (path: string): Reading => ({ path, kind: 'staged', limit: 250, idField: 'id' })

function zoneDraft(item: PlatformItem, references: References): Draft {
  const { id, shopper_target_settings, ...rest } = item
  const isDefault = isDefaultZone(id)
  const name = String(item.name ?? '')
  const target = isDefault ? null : targetOf(shopper_target_settings, references)
  const body = {
    ...rest,
    ...(target && {
      shopper_target_settings: target.settings,
      enabled: item.enabled === true && !target.isForEverybody,
    }),
  }
  return draft('tax-zones', id, body, {
    compare: { ...body, ...(target && { shopper_target_settings: inOrder(target.settings) }) },
    keys: isDefault ? ['default'] : [`name:${name.trim().toLowerCase()}`],
    name,
  })
}

interface Target {
  settings: { locations: PlatformItem[]; customer_groups: number[] }
  /**
   * None of its groups has a counterpart: without groups the zone would apply to all customers, so it is created disabled
   * until they have one.
   */
  isForEverybody: boolean
}

function targetOf(given: unknown, references: References): Target {
  const { locations, customer_groups } = (given ?? {}) as { locations?: PlatformItem[]; customer_groups?: unknown[] }
  const groups = customer_groups ?? []
  const known = groups.map((id) => references.want('customer-groups', id)).filter((id) => id !== undefined)
  return {
    settings: { locations: locations ?? [], customer_groups: known },
    isForEverybody: groups.length > 0 && known.length === 0,
  }
}

/** Sorts the lists whose order has no meaning. */
function inOrder({ locations, customer_groups }: Target['settings']): PlatformItem {
  const sorted = (value: unknown) => (Array.isArray(value) ? value.toSorted() : value)
  const areas = locations.map((location) =>
    Object.fromEntries(Object.entries(location).map(([field, value]) => [field, sorted(value)])),
  )
  return {
    locations: areas.map((location) => JSON.stringify(location, Object.keys(location).sort())).sort(),
    customer_groups: customer_groups.toSorted((a, b) => a - b),
  }
}

function rateDraft(item: PlatformItem, references: References): Draft {
  const { id, tax_zone_id, class_rates, ...rest } = item
  const zone = references.need('tax-zones', tax_zone_id)
  const rates = ratesOf(class_rates, references)
  const name = String(item.name ?? '')
  const body = { ...rest, tax_zone_id: zone, class_rates: rates }
  return draft('tax-rates', id, body, {
    compare: { ...body, class_rates: rates.toSorted((a, b) => a.tax_class_id - b.tax_class_id) },
    keys: [`zone:${zone}/name:${name.trim().toLowerCase()}`],
    name,
    parentId: String(zone),
  })
}

/** In every store, 0 is the default tax class. */
function ratesOf(given: unknown, references: References): { rate: number; tax_class_id: number }[] {
  if (!Array.isArray(given)) return []
  return given.flatMap(({ rate, tax_class_id }) => {
    const own = tax_class_id === 0 ? 0 : references.want('tax-classes', tax_class_id)
    return own === undefined ? [] : [{ rate: Number(rate), tax_class_id: own }]
  })
}

function propertyDraft(item: PlatformItem): Draft {
  const { id, created_at: _created, updated_at: _updated, ...body } = item
  return draft('tax-properties', id, body, {
    keys: [`${item.type}/code:${String(item.code).trim().toLowerCase()}`],
    name: String(item.display_name ?? item.code),
  })
}

const settingsPath = '/v3/tax/settings'

/** Every store has exactly one. */
const settingsReading: Reading = {
  ...whole(settingsPath),
  usually: 1,
  walkCalls: { once: 1 },
  pages: async function* (client, path, query, { signal }) {
    const { data } = (await client.get<{ data: PlatformItem }>(path, query, { signal })).body
    yield { items: [{ ...data, id: 'tax' }], total: 1, read: 1 }
  },
}

function settingsDraft(item: PlatformItem, references: References): Draft {
  const { id, guest_shopper_tax_zone_id, store_tax_zone_id, ...rest } = item
  const zones = { guest_shopper_tax_zone_id, store_tax_zone_id }
  const mapped = Object.entries(zones).map(([field, zone]) => [field, references.want('tax-zones', zone)] as const)
  const known = Object.fromEntries(mapped.filter(([, zone]) => zone !== undefined))
  return draft('tax-settings', id, { ...rest, ...known }, { keys: ['tax'], name: 'Tax settings' })
}

/** Every store has tax settings, so nothing is created: the first call is an update like the others. */
const settings: Component = {
  key: 'tax-settings',
  label: 'Tax settings',
  data: 'catalogue',
  recovery: 'resend',
  naturalKey: 'being them',
  destinationOwned: [],
  carried: false,
  create: {
    batch: 1,
    call: ([only]) => ({ method: 'PUT', path: settingsPath, body: only?.draft.body }),
    results: (_status, _body, drafts) => drafts.map((one) => ({ saved: { ...one.body, id: 'tax' } })),
  },
  update: { call: (desired) => ({ method: 'PUT', path: settingsPath, body: desired.body }) },
  probe: async (client) => {
    const { data } = (await client.get<{ data: PlatformItem }>(settingsPath)).body
    return [settingsDraft({ ...data, id: 'tax' }, identity)]
  },
  callsPerItem: { write: 1 },
}

/** Components whose calls accept and return lists. */
function listed(
  path: string,
  make: (item: PlatformItem, references: References) => Draft,
  component: Pick<Component, 'key' | 'label' | 'recovery' | 'naturalKey'>,
  fixed: readonly string[] = [],
): Component {
  return {
    ...component,
    data: 'catalogue',
    destinationOwned: [],
    carried: false,
    create: {
      batch,
      call: (drafts) => ({ method: 'POST', path, body: drafts.map((one) => one.draft.body) }),
      readsRefusals: true,
      results: (status, body, drafts) => resultsOf(status, body, drafts, (item) => make(item, identity)),
    },
    update: {
      call: (desired, existing, _parentId, fields) => {
        const changed = Object.entries(chosenFields(desired.body, fields)).filter(([field]) => !fixed.includes(field))
        return { method: 'PUT', path, body: [{ id: numberOf(existing.id), ...Object.fromEntries(changed) }] }
      },
    },
    remove: { call: (existing) => ({ method: 'DELETE', path, query: { 'id:in': existing.id } }) },
    probe: (client) => everything(client, path, make),
    callsPerItem: { write: 1 / batch },
  }
}

/** The platform documents no batch limit; one page of its control panel holds ten. */
const batch = 10

async function everything(
  client: Pick<StoreClient, 'get'>,
  path: string,
  make: (item: PlatformItem, references: References) => Draft,
): Promise<Draft[]> {
  const found: Draft[] = []
  for await (const { items } of offsetPages<PlatformItem>(client, path))
    found.push(...items.map((item) => make(item, identity)))
  return found
}

function resultsOf(
  httpStatus: number,
  body: unknown,
  drafts: Draft[],
  read: (item: PlatformItem) => Draft,
): WriteResult[] {
  const rows = rowsByDraft(body, drafts, { read })
  return drafts.map((one, at) => {
    const item = rows.get(one)
    if (item) return { saved: item }
    if (httpStatus !== 422) return { lookFor: true }
    const errors = errorsOf(body, at)
    const refused = { title: titleOf(body) || 'It was not created', errors }
    return { refused, withOthers: Object.keys(errors).length === 0 }
  })
}

/** A refusal names the rows of a batch by index. */
function errorsOf(body: unknown, at: number): Record<string, string> {
  const { errors } = (body ?? {}) as { errors?: Record<string, unknown> }
  const own = Object.entries(errors ?? {}).filter(([path]) => path.startsWith(`${at}.`))
  return Object.fromEntries(own.map(([path, said]) => [path.slice(path.indexOf('.') + 1), String(said)]))
}

export const tax = defineEntity({
  key: 'tax-zones',
  label: 'Tax',
  group: 'settings',
  after: ['tax-classes', 'customer-groups'],
  scope: 'store',
  prune: 'allowed',
  components: [
    listed(zonesPath, zoneDraft, {
      key: 'tax-zones',
      label: 'Tax zones',
      // Names are not documented to be unique.
      recovery: 'baseline',
      naturalKey: 'name, capitals aside; the default zone: being it',
    }),
    listed(ratesPath, rateDraft, {
      key: 'tax-rates',
      label: 'Tax rates',
      recovery: 'baseline',
      naturalKey: 'zone and name, capitals aside',
    }),
    listed(
      propertiesPath,
      propertyDraft,
      { key: 'tax-properties', label: 'Tax properties', recovery: 'key', naturalKey: 'type and code, capitals aside' },
      ['type'],
    ),
    settings,
  ],
  notMoved: [
    { what: 'providers of taxes and their credentials', why: "the platform's API does not give them out" },
    { what: 'values of tax properties on products and customers', why: 'not moved yet' },
  ],
  passes: [
    {
      key: 'tax-zones',
      label: 'Tax zones',
      root: 'tax-zones',
      source: whole(zonesPath),
      destination: { ...whole(zonesPath), complete: true, neverEmpty: true },
      lookUpById: { idsParameter: 'id:in' },
      protects: ({ id }) => isDefaultZone(id),
      mayWiden: true,
      drafts: zoneDraft,
    },
    {
      key: 'tax-rates',
      label: 'Tax rates',
      root: 'tax-rates',
      below: 'tax-zones',
      source: whole(ratesPath),
      destination: { ...whole(ratesPath), complete: true },
      lookUpById: { idsParameter: 'id:in' },
      drafts: rateDraft,
    },
    {
      key: 'tax-properties',
      label: 'Tax properties',
      root: 'tax-properties',
      source: whole(propertiesPath),
      destination: { ...whole(propertiesPath), complete: true },
      lookUpById: { idsParameter: 'id:in' },
      drafts: propertyDraft,
    },
    {
      key: 'tax-settings',
      label: 'Tax settings',
      root: 'tax-settings',
      source: settingsReading,
      destination: { ...settingsReading, complete: true },
      // A storefront run leaves out what belongs to the whole store.
      storefront: () => null,
      drafts: settingsDraft,
    },
  ],
})
