import { rewriteAddress, rewriteJson, rewriteText } from '../../model/links/rewrite-text.ts'
import type { PlatformItem } from './draft.ts'
import type { References } from './references.ts'

/**
 * The text with its links rewritten for the destination. Texts read from the destination, and values that are not
 * texts, stay as they are.
 */
export function linked(text: unknown, { links }: References): unknown {
  if (!links || typeof text !== 'string' || text === '') return text
  const { text: rewritten, ...counts } = rewriteText(text, links)
  links.report(counts)
  return rewritten
}

/** Rewrites a single address, which may be just a path. */
export function linkedAddress(address: unknown, { links }: References): unknown {
  if (!links || typeof address !== 'string' || address === '') return address
  const { text, ...counts } = rewriteAddress(address, links)
  links.report(counts)
  return text
}

/** Rewrites the links in every text of a JSON value. */
export function linkedJson(value: unknown, { links }: References): unknown {
  if (!links) return value
  const { value: rewritten, ...counts } = rewriteJson(value, links)
  links.report(counts)
  return rewritten
}

/** The given fields, where the item has them, with their links rewritten. */
export function linkedFields(item: PlatformItem, fields: readonly string[], references: References): PlatformItem {
  return Object.fromEntries(
    fields.filter((field) => field in item).map((field) => [field, linked(item[field], references)]),
  )
}
