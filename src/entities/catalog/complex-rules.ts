import { offsetPages } from '../../bigcommerce/pages.ts'
import { numberOf } from '../../model/destination-id.ts'
import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { imageFile, pictureOf } from '../core/image-file.ts'
import { identity, type References } from '../core/references.ts'
import { isCalled, list, variantDraft } from './product-children.ts'

/** What a condition refers to, by names, which are the same in both stores. */
interface NamedCondition {
  modifier: string | null
  value: string | null
  variant: string | null
}

/** Pages of products do not contain the rules. */
export const rulesField = 'complex_rules'

/** A rule that we can create names a modifier value. Of a product without any we request no rules. */
export function mayHaveRules(product: PlatformItem): boolean {
  return list(product.modifiers).some((modifier) => list(modifier.option_values).length > 0)
}

export const rulesPath = (productId: string) => `/v3/catalog/products/${productId}/complex-rules`

/** @param product the product of the rule, where the ids in the conditions have names */
export function complexRuleDraft(rule: PlatformItem, product: PlatformItem): Draft {
  const { id, product_id: _p, conditions, image_url, ...rest } = rule
  const named = list(conditions)
    .map((condition) => nameCondition(condition, product))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const name = named.map(nameOf).join(', ')
  return draft(
    'product-complex-rules',
    id,
    { ...rest, ...pictureOf(rule), conditions: list(conditions).map(idsOf) },
    {
      compare: { ...rest, image_file: imageFile(image_url), conditions: named },
      // Two rules of a product never have the same conditions.
      keys: [`rule:${name.toLowerCase()}`],
      name,
      ...(!isCreatable(list(conditions)) && onlyOfControlPanel),
    },
  )
}

const onlyOfControlPanel = {
  uncreatable: "the platform's API creates rules only for several choices together, or for a choice and a variant.",
  remedy: 'Set what the rule does in the control panel of the destination, at the choice or the variant itself.',
}

/** Source: `conditions` of the published rule. The control panel and version 2 of the API also make others. */
function isCreatable(conditions: PlatformItem[]): boolean {
  const naming = (field: string) => conditions.filter((one) => Number(one[field] ?? 0) > 0).length
  return naming('modifier_value_id') >= (naming('variant_id') > 0 ? 1 : 2)
}

/**
 * Of those to copy, the ones that can apply: one for a choice or a variant that the product no longer has does nothing. At the
 * destination it is still the copy that gets the new choice.
 */
export function complexRulesOf(product: PlatformItem, references: References): Draft[] {
  const values = list(product.modifiers).flatMap(({ option_values }) => list(option_values))
  const isThere = (id: unknown, rows: PlatformItem[]) => Number(id ?? 0) === 0 || rows.some((row) => row.id === id)
  return list(product[rulesField])
    .filter(
      ({ conditions }) =>
        references === identity ||
        list(conditions).every(
          (one) => isThere(one.modifier_value_id, values) && isThere(one.variant_id, list(product.variants)),
        ),
    )
    .map((rule) => complexRuleDraft(rule, product))
}

function nameCondition(condition: PlatformItem, product: PlatformItem): NamedCondition {
  const { modifier_id, modifier_value_id, variant_id } = condition
  const modifier = list(product.modifiers).find(({ id }) => id === modifier_id)
  const value = list(modifier?.option_values).find(({ id }) => id === modifier_value_id)
  const variant = list(product.variants).find(({ id }) => id === variant_id)
  return {
    modifier: modifier ? String(modifier.display_name) : null,
    value: value ? String(value.label) : null,
    variant: variant ? (variantDraft(variant).name ?? null) : null,
  }
}

function nameOf({ modifier, value, variant }: NamedCondition): string {
  return [modifier && `${modifier}=${value}`, variant && `variant ${variant}`].filter(Boolean).join(' and ')
}

function idsOf({ modifier_id, modifier_value_id, variant_id }: PlatformItem): PlatformItem {
  return { modifier_id, modifier_value_id, variant_id }
}

/** The conditions with the ids of the existing product. An id that the product does not have becomes null. */
function conditionsAt(rule: Draft, product: Draft | null): PlatformItem[] {
  const childOf = (parent: Draft | null | undefined, component: string, name: string | null) =>
    parent?.children.find((child) => isCalled(child, component, name))
  const idOf = (found: Draft | undefined) => (found ? numberOf(found.id) : null)
  return namedConditions(rule).map(({ modifier, value, variant }) => {
    const own = childOf(product, 'product-modifiers', modifier)
    return {
      modifier_id: idOf(own),
      modifier_value_id: idOf(childOf(own, 'product-modifier-values', value)),
      variant_id: idOf(childOf(product, 'product-variants', variant)),
    }
  })
}

/** The type written by complexRuleDraft. */
const namedConditions = ({ compare }: Draft) => compare.conditions as NamedCondition[]

/** With a condition less, the rule would apply to other choices and variants, too. */
function missingSibling(rule: Draft, product: Draft): string | undefined {
  const there = conditionsAt(rule, product)
  const missing = namedConditions(rule).find(
    ({ modifier, variant }, at) =>
      (modifier !== null && there[at]?.modifier_value_id === null) ||
      (variant !== null && there[at]?.variant_id === null),
  )
  return missing && nameOf(missing)
}

/** Written after the options, variants and modifiers that its conditions refer to. */
export const complexRules: Component = {
  key: 'product-complex-rules',
  label: 'Complex rules',
  data: 'catalogue',
  recovery: 'key',
  naturalKey: 'product and conditions',
  destinationOwned: [],
  carried: false,
  create: {
    batch: 1,
    call: ([only]) => ({
      method: 'POST',
      path: rulesPath(only?.parentId ?? ''),
      body: only && {
        ...only.draft.body,
        conditions: conditionsAt(only.draft, only.parent),
      },
    }),
  },
  update: {
    // All ids are sent again: they change when a variant or value is deleted at the destination and created again.
    call: (desired, existing, parentId, _fields, parent) => ({
      method: 'PUT',
      path: `${rulesPath(parentId)}/${existing.id}`,
      body: {
        ...desired.body,
        conditions: parent ? conditionsAt(desired, parent) : existing.body.conditions,
      },
    }),
  },
  missingSibling,
  remove: {
    call: (existing, parentId) => ({ method: 'DELETE', path: `${rulesPath(parentId)}/${existing.id}` }),
    before: 'siblings',
  },
  probe: async (client, { parentIds }) => {
    const found: Draft[] = []
    for (const parentId of parentIds) {
      const { body } = await client.get<{ data: PlatformItem }>(`/v3/catalog/products/${parentId}`, {
        include: 'modifiers,variants',
      })
      for await (const { items } of offsetPages<PlatformItem>(client, rulesPath(parentId)))
        found.push(...items.map((rule) => ({ ...complexRuleDraft(rule, body.data), parentId })))
    }
    return found
  },
  callsPerItem: { write: 1 },
}
