import type { LinkTargets } from '../../model/links/link-targets.ts'
import { rewriteAddress, rewriteJson, rewriteText } from '../../model/links/rewrite-text.ts'
import type { PlatformItem, References } from './define.ts'

/** What links in texts become, and whom to tell of them. */
export interface LinkReferences extends LinkTargets {
  report(done: { rewritten: number; unresolved: string[] }): void
}

/** A text with links, as the destination has to have it; of the destination itself, and whatever is no text, as it is. */
export function linked(text: unknown, { links }: References): unknown {
  if (!links || typeof text !== 'string' || text === '') return text
  const { text: rewritten, ...counts } = rewriteText(text, links)
  links.report(counts)
  return rewritten
}

/** An address by itself, which may be a mere path. */
export function linkedAddress(address: unknown, { links }: References): unknown {
  if (!links || typeof address !== 'string' || address === '') return address
  const { text, ...counts } = rewriteAddress(address, links)
  links.report(counts)
  return text
}

/** A value made of JSON: every text in it. */
export function linkedJson(value: unknown, { links }: References): unknown {
  if (!links) return value
  const { value: rewritten, ...counts } = rewriteJson(value, links)
  links.report(counts)
  return rewritten
}

/** Those of the given fields that an item has. */
export function linkedFields(item: PlatformItem, fields: readonly string[], references: References): PlatformItem {
  return Object.fromEntries(
    fields.filter((field) => field in item).map((field) => [field, linked(item[field], references)]),
  )
}
