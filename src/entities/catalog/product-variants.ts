import { z } from 'zod'
import type { StoreClient } from '../../bigcommerce/client.ts'
import { numberOf } from '../../model/destination-id.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { Component } from '../core/component.ts'
import type { Draft, PlatformItem } from '../core/draft.ts'
import { below, childrenAt, removeAt } from './product-child-calls.ts'
import { isCalled, list, variantDraft, withOptionValues } from './product-children.ts'
import { variantLimits } from './product-limits.ts'

const catalogueSummary = z.object({ data: z.object({ variant_count: z.int().min(0) }) })

/** No list of products gives the number of variants. */
async function countVariants(client: Pick<StoreClient, 'get'>, signal: AbortSignal): Promise<number> {
  const { body } = await client.get('/v3/catalog/summary', {}, { signal })
  return catalogueSummary.parse(body).data.variant_count
}

export const variants: Component = {
  key: 'product-variants',
  label: 'Variants',
  forecastAs: 'variants',
  countAll: countVariants,
  picture: 'fetched',
  inlineAs: 'variants',
  limits: variantLimits,
  data: 'catalogue',
  withoutPicture: true,
  recovery: 'key',
  naturalKey: 'product and the labels of its option values',
  destinationOwned: ['inventory_level'],
  sideEffects: {
    startingStock: {
      sent: ({ body }) => inStock([['', body.inventory_level]]),
      saved: (sent, { id }, productId) =>
        Object.values(sent).map((quantity) => ({
          productId: numberOf(productId),
          variantId: numberOf(id),
          quantity,
        })),
    },
  },
  carried: false,
  create: {
    batch: 1,
    call: ([only]) => ({
      method: 'POST',
      path: below(only?.parentId, 'variants'),
      body: only && { ...only.draft.body, option_values: valueIds(only.draft, only.parent) },
    }),
  },
  update: {
    call: (desired, existing, parentId, fields) => {
      const { option_values: _fixed, ...body } = desired.body
      return { method: 'PUT', path: below(parentId, `variants/${existing.id}`), body: chosenFields(body, fields) }
    },
  },
  remove: { call: removeAt('variants'), before: 'siblings' },
  clashes: (desired, sibling) =>
    isUnfitBeside(desired, sibling) || (skuOf(desired) !== '' && skuOf(desired) === skuOf(sibling)),
  freed: () => ({ sku: '' }),
  renamedWith,
  read: variantDraft,
  probe: childrenAt('variants', variantDraft),
  // The list cannot be filtered by several ids. Source: the published variants specification.
  namedByOthers: {
    on: 'products',
    find: async (client, id) => {
      const { body } = await client.get<{ data: PlatformItem[] }>('/v3/catalog/variants', { id })
      const [item] = body.data
      return item && { draft: variantDraft(item), ownerId: String(item.product_id) }
    },
  },
  callsPerItem: { write: 0 },
}

/** A variant has a value of every option, and one without values is the only one. */
function isUnfitBeside({ body }: Draft, sibling: Draft): boolean {
  const names = list(body.option_values).map(({ option_display_name }) => String(option_display_name))
  if (sibling.component === 'product-options') return !names.some((name) => isCalled(sibling, 'product-options', name))
  return sibling.component === 'product-variants' && names.length === 0 && list(sibling.body.option_values).length > 0
}

/** The platform does not tell capitals apart in SKUs. */
function skuOf({ body }: Draft): string {
  return String(body.sku ?? '').toLowerCase()
}

function renamedWith(variant: Draft, siblings: readonly { before: Draft; after: Draft }[]): Draft {
  const values = list(variant.body.option_values).map(({ option_display_name, label }) => {
    const option = siblings.find(({ before }) => isCalled(before, 'product-options', String(option_display_name)))
    const at = option?.before.children.findIndex((value) => isCalled(value, 'product-option-values', String(label)))
    const value = option?.after.children[at ?? -1]
    return { option_display_name: option?.after.name ?? option_display_name, label: value?.name ?? label }
  })
  return withOptionValues(variant, values)
}

/** Leaves out what there is none of. */
export function inStock(levels: [key: string, level: unknown][]): Record<string, number> {
  return Object.fromEntries(
    levels.map(([key, level]) => [key, Number(level ?? 0)] as const).filter(([, quantity]) => quantity > 0),
  )
}

/** A variant created by a separate call refers to its values by their ids at the existing product. */
function valueIds(variant: Draft, product: Draft | null): { option_id: number; id: number }[] {
  return list(variant.body.option_values).flatMap(({ option_display_name, label }) => {
    const option = product?.children.find((child) => isCalled(child, 'product-options', String(option_display_name)))
    const value = option?.children.find((child) => isCalled(child, 'product-option-values', String(label)))
    return option && value ? [{ option_id: numberOf(option.id), id: numberOf(value.id) }] : []
  })
}
