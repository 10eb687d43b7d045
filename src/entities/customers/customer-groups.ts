import { v2Pages } from '../../bigcommerce/pages.ts'
import { list } from '../catalog/product-children.ts'
import type { Probe, WriteResult } from '../core/calls.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component, Role } from '../core/component.ts'
import { type Draft, draft, outsideField, outsideOf, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { identity, type References } from '../core/references.ts'

const path = '/v2/customer_groups'

/** What each type of discount rule refers to; a sitewide rule refers to nothing. */
const namedByRules: Record<string, { field: string; component: string }> = {
  price_list: { field: 'price_list_id', component: 'price-lists' },
  category: { field: 'category_id', component: 'categories' },
  product: { field: 'product_id', component: 'products' },
}

function groupDraft(item: PlatformItem, references: References): Draft {
  const {
    id,
    date_created: _c,
    date_modified: _m,
    [outsideField]: _out,
    discount_rules,
    category_access,
    ...rest
  } = item
  const rules = list(discount_rules).flatMap((rule) => ruleAt(rule, references))
  const access = accessAt(category_access, references)
  const name = String(rest.name ?? '')
  return draft(
    'customer-groups',
    id,
    { ...rest, discount_rules: rules, category_access: access },
    {
      compare: { ...rest, discount_rules: inOrder(rules.map(comparable)), category_access: comparableAccess(access) },
      keys: [`name:${name.trim().toLowerCase()}`],
      name,
      outside: outsideOf(item),
    },
  )
}

/** Empty if the destination does not have what the rule refers to: the rule is left out and stays pending. */
function ruleAt(rule: PlatformItem, references: References): PlatformItem[] {
  const named = namedByRules[String(rule.type)]
  if (!named) return [rule]
  const counterpart = references.want(named.component, rule[named.field])
  return counterpart === undefined ? [] : [{ ...rule, [named.field]: counterpart }]
}

function accessAt(access: unknown, references: References): PlatformItem {
  const { type = 'all', categories } = (access ?? {}) as PlatformItem
  if (type !== 'specific') return { type }
  const ids = Array.isArray(categories) ? categories : []
  return { type, categories: ids.flatMap((id) => references.want('categories', id) ?? []) }
}

/** Amounts are strings, and the platform formats them in its own way. */
function comparable(rule: PlatformItem): PlatformItem {
  return rule.amount === undefined ? rule : { ...rule, amount: Number(rule.amount) }
}

function comparableAccess({ type, categories }: PlatformItem): PlatformItem {
  return Array.isArray(categories) ? { type, categories: [...categories].sort((a, b) => a - b) } : { type }
}

function inOrder(rules: PlatformItem[]): PlatformItem[] {
  const textOf = (rule: PlatformItem) => JSON.stringify(Object.entries(rule).sort())
  return [...rules].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1))
}

/** Keeps rules and categories of other storefronts, because both are written as whole sets (D3). */
function withOutside(body: PlatformItem, { outside }: Draft): PlatformItem {
  const rules = outside.discount_rules ?? []
  const categories = outside['category_access.categories'] ?? []
  const access = body.category_access as PlatformItem | undefined
  return {
    ...body,
    ...(body.discount_rules !== undefined && { discount_rules: [...list(body.discount_rules), ...rules] }),
    ...(Array.isArray(access?.categories) && {
      category_access: { ...access, categories: [...new Set([...access.categories, ...categories])] },
    }),
  }
}

const probe: Probe = async (client, { keys }) => {
  const found: Draft[] = []
  for (const key of keys.flat()) {
    const { body } = await client.get<PlatformItem[] | undefined>(path, { name: key.slice('name:'.length), limit: 250 })
    // The response has no content if no group has that name.
    found.push(...(body ?? []).map((item) => groupDraft(item, identity)))
  }
  return found
}

function role(field: string, called: string): Role {
  const holders: Role['holders'] = async (client, _draft, signal) => {
    const found: Draft[] = []
    for await (const { items } of v2Pages<PlatformItem>(client, path, {}, { signal }))
      found.push(...items.filter((item) => item[field] === true).map((item) => groupDraft(item, identity)))
    return found
  }
  return { field, called, holders }
}

/** A 207 means that the group was saved without its sitewide discount. The response does not give its id. */
function groupResults(httpStatus: number, body: unknown): WriteResult[] {
  if (httpStatus === 207) return [{ lookFor: true, partly: 'Saved without its sitewide discount' }]
  return [body === undefined ? { lookFor: true } : { saved: body as PlatformItem }]
}

const group: Component = {
  key: 'customer-groups',
  label: 'Customer groups',
  data: 'catalogue',
  recovery: 'key',
  naturalKey: 'name, capitals aside',
  uniqueFields: ['name'],
  repeatsPartly: true,
  accepts: [...['name', 'is_default', 'category_access', 'discount_rules', 'is_group_for_guests']],
  roles: [role('is_default', 'the group for new customers'), role('is_group_for_guests', 'the group for guests')],
  destinationOwned: [],
  carried: false,
  create: {
    batch: 1,
    call: ([only]) => ({ method: 'POST', path, body: only?.draft.body }),
    results: groupResults,
  },
  update: {
    call: (desired, existing, _parentId, fields) => ({
      method: 'PUT',
      path: `${path}/${existing.id}`,
      body: withOutside(chosenFields(desired.body, fields), existing),
    }),
  },
  remove: { call: (existing) => ({ method: 'DELETE', path: `${path}/${existing.id}` }) },
  probe,
  callsPerItem: { write: 1 },
}

/**
 * Comes after everything that discount rules and category access refer to, so that a group is written once. Only price
 * list assignments refer to groups, and wait for them.
 */
export const customerGroups = defineEntity({
  key: 'customer-groups',
  label: 'Customer groups',
  group: 'customers',
  after: ['categories', 'products', 'price-lists'],
  scope: 'store',
  prune: 'allowed',
  scopes: [{ scope: 'store_v2_customers', below: [path], probe: { path, query: { limit: 1 } } }],
  components: [group],
  notMoved: [
    {
      what: 'whether a discount on a category is on those below it too',
      why: "the platform's API neither shows nor accepts it; a copied one always is",
    },
  ],
  passes: [
    {
      key: 'customer-groups',
      label: 'Customer groups',
      root: 'customer-groups',
      source: { path, kind: 'staged', limit: 250, idField: 'id' },
      picks: {},
      sets: [
        { field: 'discount_rules', of: 'categories', id: 'category_id' },
        { field: 'discount_rules', of: 'products', id: 'product_id' },
        { field: 'category_access.categories', of: 'categories' },
      ],
      destination: { path, kind: 'staged', limit: 250, idField: 'id', complete: true },
      lookUpById: { address: (id) => `${path}/${id}` },
      changedSince: 'date_modified:min',
      // One is the default for new customers, the other is for guests.
      protects: ({ is_default, is_group_for_guests }) => is_default === true || is_group_for_guests === true,
      drafts: groupDraft,
    },
  ],
})
