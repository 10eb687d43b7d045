import type { SourcePage } from './source-page.ts'

/**
 * Items that are planned in one go, where the platform gives so few a page that planning each would take longer than reading it. More:
 * memory (A6). Fewer: the destination waits.
 */
const plannedAtOnce = 30

/** Small pages joined to larger ones. */
export async function* joinedPages(pages: AsyncIterable<SourcePage>): AsyncGenerator<SourcePage> {
  let joined: SourcePage | null = null
  for await (const page of pages) {
    if (joined && !canJoin(joined, page)) {
      yield joined
      joined = null
    }
    joined = joined ? { ...page, items: [...joined.items, ...page.items], total: joined.total ?? page.total } : page
    if (joined.items.length < plannedAtOnce) continue
    yield joined
    joined = null
  }
  if (joined) yield joined
}

/** A level begins when the one above is written, and what is broken is reported page by page. */
function canJoin(one: SourcePage, next: SourcePage): boolean {
  return (
    one.level === next.level && !one.broken && !next.broken && one.items.length + next.items.length <= plannedAtOnce
  )
}
