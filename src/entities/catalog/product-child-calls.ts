import { offsetPages } from '../../bigcommerce/pages.ts'
import type { Probe } from '../core/calls.ts'
import type { Draft, PlatformItem } from '../core/draft.ts'

export const below = (parentId: string | undefined, what: string) => `/v3/catalog/products/${parentId}/${what}`

/** Lists all children of the parents with these addresses. A child missed here would be created a second time. */
export function childrenAt(what: string, make: (item: PlatformItem) => Draft): Probe {
  return async (client, { parentIds }) => {
    const found: Draft[] = []
    for (const parentId of parentIds)
      for await (const { items } of offsetPages<PlatformItem>(client, below(parentId, what)))
        found.push(...items.map((item) => ({ ...make(item), parentId })))
    return found
  }
}

/** Deletes a child of a product by its address. */
export function removeAt(what: string) {
  return (existing: Draft, parentId: string) => ({
    method: 'DELETE' as const,
    path: below(parentId, `${what}/${existing.id}`),
  })
}
