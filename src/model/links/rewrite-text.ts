import { changeAddress, changeProse } from './address.ts'
import { rewriteHtml, rewritingOf } from './html.ts'
import type { LinkedComponent, LinkTargets, Rewriting } from './link-targets.ts'

/** A field of the source that is an address and nothing else. */
export function rewriteAddress(address: string, targets: LinkTargets): Rewriting {
  return rewritingOf(address, changeAddress(address, targets))
}

/** A text of which nobody said what it is: markup, an address, or words. */
export function rewriteText(text: string, targets: LinkTargets): Rewriting {
  if (text.includes('<')) return rewriteHtml(text, targets)
  const isAddress = /^(https?:)?\/{1,2}\S*$/i.test(text)
  return rewritingOf(text, (isAddress ? changeAddress : changeProse)(text, targets))
}

/** Names of fields under which ids stand in a value, in one or in a list. */
export type IdFields = Readonly<Record<string, LinkedComponent>>

/** Ids in the settings of widgets. */
export const widgetIdFields: IdFields = {
  productId: 'products',
  productIds: 'products',
  product_id: 'products',
  categoryId: 'categories',
  categoryIds: 'categories',
  category_id: 'categories',
  brandId: 'brands',
  brandIds: 'brands',
  brand_id: 'brands',
}

export interface RewrittenValue {
  value: unknown
  rewritten: number
  unresolved: string[]
}

/** The same of every text in a value made of JSON, and of the ids under the given names; an id keeps its type. */
export function rewriteJson(value: unknown, targets: LinkTargets, ids: IdFields = {}): RewrittenValue {
  const told = { rewritten: 0, unresolved: [] as string[] }
  const changed = walk(value, undefined)
  return { value: changed, ...told }

  function walk(one: unknown, of: LinkedComponent | undefined): unknown {
    if (of && isId(one)) return counterpart(one, of)
    if (typeof one === 'string') {
      const { text, rewritten, unresolved } = rewriteText(one, targets)
      told.rewritten += rewritten
      told.unresolved.push(...unresolved)
      return text
    }
    if (Array.isArray(one)) return one.map((member) => walk(member, of))
    if (one === null || typeof one !== 'object') return one
    return Object.fromEntries(Object.entries(one).map(([name, below]) => [name, walk(below, ids[name])]))
  }

  function counterpart(id: string | number, component: LinkedComponent): string | number {
    const found = targets.id(component, String(id))
    if (found === undefined) told.unresolved.push(`${component} ${id}`)
    else if (found !== String(id)) told.rewritten++
    if (found === undefined) return id
    return typeof id === 'number' ? Number(found) : found
  }
}

function isId(value: unknown): value is string | number {
  return (typeof value === 'number' || typeof value === 'string') && /^[1-9]\d*$/.test(String(value))
}
