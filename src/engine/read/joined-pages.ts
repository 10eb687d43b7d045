import { readAhead } from './read-ahead.ts'
import type { SourcePage } from './source-page.ts'

/**
 * Items of a pass that are read ahead, and planned in one go where the platform gives so few a page that planning each would take longer
 * than reading it. More: memory (A6). Fewer: the destination waits.
 */
const most = 30

/** Reads pages while the caller works, and gives small ones that are ready as one. */
export function joinedPages(pages: AsyncIterable<SourcePage> | Iterable<SourcePage>): AsyncGenerator<SourcePage> {
  return readAhead(pages, { most, sizeOf: ({ items }) => items.length, join: joined })
}

/** A level begins when the one above is written, and what is broken is reported page by page. */
export function joined(one: SourcePage, next: SourcePage): SourcePage | null {
  if (one.level !== next.level || one.broken || next.broken || one.items.length + next.items.length > most) return null
  return { ...next, items: [...one.items, ...next.items], total: one.total ?? next.total }
}
