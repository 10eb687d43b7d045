import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { identity, type References } from '../core/references.ts'
import { codeKey, probeByCode } from './codes.ts'

const path = '/v2/coupons'
/** The list also contains the coupons of promotions, without usable fields. Those are copied with their promotions. */
const query = { exclude_type: 'promotion' }

/** The platform requires these in every call, and clears `applies_to` if it is missing. */
const always = ['name', 'code', 'type', 'amount', 'applies_to']

function couponDraft(item: PlatformItem, references: References) {
  const { id, num_uses: _uses, date_created: _born, applies_to, restricted_to, ...rest } = item
  const body: PlatformItem = {
    ...rest,
    applies_to: pointAtDestination(applies_to, references),
    // If there are no countries, some stores return [] and some {}.
    restricted_to: Array.isArray(restricted_to) ? {} : restricted_to,
  }
  return draft('coupons', id, body, { keys: [codeKey(item.code)], name: String(item.name ?? '') })
}

/** In place of an id: all categories. */
const everything = 0

/** Missing members are left out as long as others remain: a coupon without any might apply to everything. */
function pointAtDestination(scope: unknown, references: References): unknown {
  if (scope === null || typeof scope !== 'object' || !('ids' in scope) || !Array.isArray(scope.ids)) return scope
  const component = 'entity' in scope && scope.entity === 'products' ? 'products' : 'categories'
  const ids = scope.ids.flatMap((id) => (id === everything ? id : (references.want(component, id) ?? [])))
  const [first] = scope.ids
  if (ids.length === 0 && first !== undefined) references.need(component, first)
  const members = [...new Set(ids)].sort((a, b) => a - b)
  return { ...scope, ids: members }
}

const coupon: Component = {
  key: 'coupons',
  label: 'Coupons',
  limits: { fields: { name: { required: true, longest: 100 }, code: { required: true, longest: 50 } } },
  // Anyone who knows the code gets the discount.
  data: 'secret',
  recovery: 'key',
  naturalKey: 'code, capitals aside',
  uniqueFields: ['code', 'name'],
  // Orders refer to a coupon that was used.
  madeByShoppers: ({ num_uses }) => Number(num_uses ?? 0) > 0,
  accepts: [
    ...['name', 'type', 'amount', 'min_purchase', 'expires', 'enabled'],
    ...['code', 'applies_to', 'max_uses', 'max_uses_per_customer', 'restricted_to', 'shipping_methods'],
  ],
  destinationOwned: ['enabled'],
  carried: false,
  create: { batch: 1, call: ([only]) => ({ method: 'POST', path, body: only?.draft.body }) },
  update: {
    call: (desired, existing, _parentId, fields) => ({
      method: 'PUT',
      path: `${path}/${existing.id}`,
      body: { ...chosenFields(desired.body, always), ...chosenFields(desired.body, fields) },
    }),
  },
  remove: { call: (existing) => ({ method: 'DELETE', path: `${path}/${existing.id}` }) },
  probe: probeByCode(path, query, (item) => couponDraft(item, identity)),
  callsPerItem: { write: 1 },
}

export const coupons = defineEntity({
  key: 'coupons',
  label: 'Coupons',
  group: 'marketing',
  after: ['categories', 'products'],
  scopes: [{ scope: 'store_v2_marketing', below: [path] }],
  scope: 'store',
  prune: 'allowed',
  components: [coupon],
  notMoved: [
    {
      what: 'coupons for what only another storefront has, in a run over one storefront',
      why: 'with a part of it they would hold for something else; a run over the whole store copies them',
    },
    { what: 'how often a coupon was used', why: 'the platform counts it anew for each store' },
    {
      what: 'uses left of a coupon that may be used a limited number of times',
      why: 'it follows from the uses, so shoppers can use it as often as on its first day',
    },
  ],
  passes: [
    {
      key: 'coupons',
      label: 'Coupons',
      root: 'coupons',
      source: { path, query, kind: 'keyset', limit: 250, idField: 'id' },
      destination: { path, query, kind: 'keyset', limit: 250, idField: 'id', complete: true },
      lookUpById: { idsParameter: 'range' },
      wholeOnly: true,
      drafts: couponDraft,
    },
  ],
})
