import { readAhead } from './read-ahead.ts'
import type { SourcePage } from './source-page.ts'

/**
 * How many items of a pass are read ahead. They are planned together where the platform puts so few on a page that
 * planning a page would take longer than reading it. More would take memory (A6); with fewer, the destination would
 * wait.
 */
const most = 30

/** Reads pages while the caller works, and joins small ones that are ready. */
export function joinedPages(pages: AsyncIterable<SourcePage> | Iterable<SourcePage>): AsyncGenerator<SourcePage> {
  return readAhead(pages, { most, sizeOf: ({ items }) => items.length, join: joined })
}

/**
 * Levels stay apart, because one begins only when the one above is written; broken items do, because they are reported
 * page by page.
 */
export function joined(one: SourcePage, next: SourcePage): SourcePage | null {
  if (one.level !== next.level || one.broken || next.broken || one.items.length + next.items.length > most) return null
  return { ...next, items: [...one.items, ...next.items], total: one.total ?? next.total }
}
