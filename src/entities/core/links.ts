import { rewriteAddress, rewriteJson, rewriteText } from '../../model/links/rewrite-text.ts'
import type { PlatformItem } from './draft.ts'
import type { References } from './references.ts'

/** A text with its links rewritten for the destination. Texts of the destination and other values stay as they are. */
export function linked(text: unknown, { links }: References): unknown {
  if (!links || typeof text !== 'string' || text === '') return text
  const { text: rewritten, ...counts } = rewriteText(text, links)
  links.report(counts)
  return rewritten
}

/** A single address, which may be just a path. */
export function linkedAddress(address: unknown, { links }: References): unknown {
  if (!links || typeof address !== 'string' || address === '') return address
  const { text, ...counts } = rewriteAddress(address, links)
  links.report(counts)
  return text
}

/** Rewrites every text in a JSON value. */
export function linkedJson(value: unknown, { links }: References): unknown {
  if (!links) return value
  const { value: rewritten, ...counts } = rewriteJson(value, links)
  links.report(counts)
  return rewritten
}

/** The given fields, as far as the item has them, with links rewritten. */
export function linkedFields(item: PlatformItem, fields: readonly string[], references: References): PlatformItem {
  return Object.fromEntries(
    fields.filter((field) => field in item).map((field) => [field, linked(item[field], references)]),
  )
}
