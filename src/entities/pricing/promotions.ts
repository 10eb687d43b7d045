import { itemsIn } from '../../bigcommerce/pages.ts'
import type { Probe } from '../core/calls.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, outsideField, outsideOf, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { identity, type References } from '../core/references.ts'
import { settings } from '../settings/settings.ts'
import { promotionCode, promotionCodes } from './promotion-codes.ts'
import { type IdPath, translateIds } from './translate-ids.ts'

const path = '/v3/promotions'

/** Every field of a promotion that contains ids. Source: the published promotions specification. */
const idPaths: readonly IdPath[] = [
  { path: 'channels.*.id', of: 'channels' },
  // 0 means guests.
  { path: 'customer.group_ids.*', of: 'customer-groups', fixedBelowOne: true },
  { path: 'customer.excluded_group_ids.*', of: 'customer-groups', fixedBelowOne: true },
  { path: 'customer.segments.**.id.*', of: 'segments', text: true },
  { path: 'rules.*.**.items.**.brands.*', of: 'brands' },
  { path: 'rules.*.**.items.**.categories.*', of: 'categories' },
  { path: 'rules.*.**.items.**.products.*', of: 'products' },
  { path: 'rules.*.**.items.**.variants.*', of: 'product-variants' },
  { path: 'rules.*.action.gift_item.product_id', of: 'products', needed: true },
  { path: 'rules.*.action.gift_item.variant_id', of: 'product-variants', needed: true },
  { path: 'rules.*.action.shipping.zone_ids.*', of: 'shipping-zones' },
]

const enabled = 'ENABLED'
const disabled = 'DISABLED'

/**
 * A promotion is created disabled, and enabled once everything else is done and nothing it refers to is missing: with a
 * member missing from a list, it could apply to more than it should (D5).
 */
function promotionDraft(item: PlatformItem, references: References): Draft {
  const {
    id,
    current_uses: _uses,
    codes: _codes,
    created_from: _from,
    multiple_codes: _several,
    [outsideField]: _outside,
    status,
    redemption_type,
    coupon_type,
    ...rest
  } = item
  const missing = new MissingCounter(references)
  const translated = translateIds(withoutUseless(rest), idPaths, missing)
  const kinds = { redemption_type, ...(coupon_type === undefined ? {} : { coupon_type }) }
  const requested = status === enabled && missing.count === 0 ? enabled : disabled
  const name = String(item.name ?? '')
  return draft(
    'promotions',
    id,
    { ...translated, ...kinds, status: disabled },
    {
      compare: { ...translated, ...kinds, status: requested },
      keys: [`promotion:${redemption_type}:${name.trim().toLowerCase()}`],
      name,
      outside: outsideOf(item),
      deferred: status === enabled ? { status: enabled } : null,
    },
  )
}

/**
 * Without the fields that the platform refuses when they have no effect. Source: their descriptions in the published
 * specification.
 */
function withoutUseless(item: PlatformItem): PlatformItem {
  if (item.can_be_used_with_other_promotions !== true) return item
  const {
    coupon_overrides_other_promotions: _other,
    coupon_overrides_automatic_when_offering_higher_discounts: _automatic,
    ...rest
  } = item
  return rest
}

/** Passes references on, counting those without a counterpart. */
class MissingCounter implements References {
  count = 0
  private readonly references: References

  constructor(references: References) {
    this.references = references
  }

  need(component: string, sourceId: unknown): number {
    return this.references.need(component, sourceId)
  }

  want(component: string, sourceId: unknown): number | undefined {
    const found = this.references.want(component, sourceId)
    if (found === undefined) this.count++
    return found
  }

  wantText(component: string, sourceId: unknown): string | undefined {
    const found = this.references.wantText(component, sourceId)
    if (found === undefined) this.count++
    return found
  }

  find(component: string, sourceId: unknown): number | undefined {
    return this.references.find(component, sourceId)
  }

  has(component: string, sourceId: unknown): boolean {
    return this.references.has(component, sourceId)
  }

  picture(image: PlatformItem): string {
    return this.references.picture(image)
  }
}

/** The chosen fields with the status desired now, and with the existing channels of other storefronts (D3). */
function corrected(requested: Draft, { outside }: Draft, fields: string[] | 'all'): PlatformItem {
  const body = chosenFields({ ...requested.body, status: requested.compare.status }, fields)
  if (!Array.isArray(body.channels)) return body
  return { ...body, channels: [...body.channels, ...(outside.channels ?? [])] }
}

const probe: Probe = async (client, { keys }) => {
  const found: Draft[] = []
  for (const key of new Set(keys.flat())) {
    const [, type = '', ...name] = key.split(':')
    // Stores may return the type in upper case.
    const query = { redemption_type: type.toLowerCase(), name: name.join(':'), limit: 250 }
    const items = itemsIn<PlatformItem>(await client.get(path, query), path)
    found.push(...items.map((item) => promotionDraft(item, identity)))
  }
  return found
}

const promotion: Component = {
  key: 'promotions',
  label: 'Promotions',
  findings: ['promotions-left-off'],
  limits: { fields: { name: { required: true } } },
  data: 'catalogue',
  recovery: 'baseline',
  naturalKey: 'kind (automatic or by coupon) and name, capitals aside',
  sharesKeys: true,
  destinationOwned: ['status'],
  carried: false,
  create: { batch: 1, call: ([only]) => ({ method: 'POST', path, body: only?.draft.body }) },
  update: {
    call: (desired, existing, _parentId, fields) => ({
      method: 'PUT',
      path: `${path}/${existing.id}`,
      body: corrected(desired, existing, fields),
    }),
  },
  remove: { call: (existing) => ({ method: 'DELETE', path: `${path}/${existing.id}` }) },
  probe,
  findsUnlisted: probe,
  callsPerItem: { write: 2 },
}

/** How discounts combine, which affects how much each of them takes off. */
const promotionSettings = settings({
  key: 'promotion-settings',
  label: 'Promotion settings',
  data: 'catalogue',
  groups: [{ key: 'promotions', path: `${path}/settings` }],
  channels: false,
})

export const promotions = defineEntity({
  key: 'promotions',
  label: 'Promotions',
  group: 'marketing',
  after: ['categories', 'brands', 'products', 'customer-groups', 'segments', 'shipping-zones'],
  scopes: [{ scope: 'store_v2_marketing', below: [path] }],
  scope: 'store',
  prune: 'allowed',
  components: [promotionSettings.component, promotion, promotionCode],
  notMoved: [
    {
      what: 'promotions that name what only another storefront has, in a run over one storefront',
      why: 'with a part of it their rules would hold for something else; a run over the whole store copies them',
    },
    { what: 'how often a promotion or a code was used', why: 'the platform counts it anew for each store' },
    {
      what: 'the limits of a code that exists at the destination',
      why: 'the platform has no call that changes a code',
    },
    { what: 'the status INVALID', why: 'the platform gives it by itself; such a promotion is copied switched off' },
  ],
  passes: [
    promotionSettings.pass,
    {
      key: 'promotions',
      label: 'Promotions',
      root: 'promotions',
      source: { path, kind: 'staged', limit: 250, idField: 'id' },
      destination: { path, kind: 'staged', limit: 250, idField: 'id', complete: true },
      lookUpById: { address: (id) => `${path}/${id}` },
      storefront: ({ channelId }) => ({ channels: channelId }),
      sets: [{ field: 'channels', of: 'channels', id: 'id' }],
      wholeOnly: true,
      mayWiden: true,
      drafts: promotionDraft,
    },
    promotionCodes,
  ],
})
