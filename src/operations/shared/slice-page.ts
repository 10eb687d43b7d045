import { z } from 'zod'
import type { Keyring } from '../../accounts/encryption.ts'
import { type CursorScope, openCursor, sealCursor } from './list-cursor.ts'

/** A page of a list in memory. It begins after the last item of the previous page, wherever that item is now. */
export function slicePage<Item>(
  keyring: Keyring,
  cursorScope: CursorScope,
  all: readonly Item[],
  { keyOf, limit, cursor }: { keyOf(item: Item): string; limit: number; cursor: string | undefined },
): { items: Item[]; nextCursor: string | null } {
  const after = openCursor(keyring, cursorScope, z.string(), cursor)
  const from = after === null ? 0 : all.findIndex((item) => keyOf(item) === after) + 1
  const items = all.slice(from, from + limit)
  const last = items.at(-1)
  const more = from + limit < all.length && last !== undefined
  return { items, nextCursor: more ? sealCursor(keyring, cursorScope, keyOf(last)) : null }
}
