import { type CompleteOptions, completePages } from '../../bigcommerce/complete-pages.ts'
import { cursorPages, isV2, keysetPages, type Page, v2KeysetPages } from '../../bigcommerce/pages.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Reading } from '../../entities/core/reading.ts'
import type { RunContext } from '../context/context.ts'
import { pagesOfParts } from './lists-in-parts.ts'

/** Reads items of either store page by page, however the resource is paged. Each item comes at least once (G2). */
export async function* plainPages(
  context: Pick<RunContext, 'source' | 'destination' | 'channels'> & { lease: { stop: AbortSignal } },
  side: 'source' | 'destination',
  reading: Reading,
  { onChanging }: Pick<CompleteOptions, 'onChanging'> = {},
): AsyncGenerator<ListPage> {
  const { path, query = {}, limit, kind, idField, idFilter: filter, byCursor, parts, pages: own } = reading
  const options = { limit, signal: context.lease.stop, onChanging }
  if (parts) return yield* pagesOfParts(context[side], reading, parts, options)
  if (own) return yield* own(context[side], path, query, { ...options, channels: context.channels[side] })
  const pages =
    kind === 'keyset'
      ? keysetOf(reading)<PlatformItem>(context[side], path, query, { ...options, idField, filter })
      : kind === 'cursor' || byCursor
        ? cursorPages<PlatformItem>(context[side], path, query, options)
        : completePages<PlatformItem>(context[side], path, query, { ...options, idOf: idField })
  yield* pages
}

/** Lists of v2 and v3 continue after an id in different ways. */
export function keysetOf({ path }: Reading) {
  return isV2(path) ? v2KeysetPages : keysetPages
}

export type ListPage = Pick<Page<PlatformItem>, 'items' | 'total' | 'read'>
