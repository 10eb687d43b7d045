import { z } from 'zod'
import type { Keyring } from '../../accounts/encryption.ts'
import { type CursorScope, openCursor, sealCursor } from './list-cursor.ts'

/** The last item shown, and its place in the list at that time. */
const position = z.strictObject({ key: z.string(), at: z.int() })

interface Slice<Item> {
  keyOf(item: Item): string
  /** Whether an item is requested; all are by default. What changes meanwhile may no longer fit, and keeps its place. */
  fits?(item: Item): boolean
  limit: number
  cursor: string | undefined
}

/**
 * A page of a list in memory. It begins after the last item of the previous page, wherever that item is now, or where it
 * was if it is gone.
 */
export function slicePage<Item>(
  keyring: Keyring,
  cursorScope: CursorScope,
  all: readonly Item[],
  { keyOf, fits = () => true, limit, cursor }: Slice<Item>,
): { items: Item[]; nextCursor: string | null } {
  const after = openCursor(keyring, cursorScope, position, cursor)
  const found = after === null ? -1 : all.findIndex((item) => keyOf(item) === after.key)
  const from = found === -1 ? (after?.at ?? 0) : found + 1
  const left = all.slice(from).filter(fits)
  const items = left.slice(0, limit)
  const last = items.at(-1)
  if (left.length === items.length || last === undefined) return { items, nextCursor: null }
  return { items, nextCursor: sealCursor(keyring, cursorScope, { key: keyOf(last), at: all.indexOf(last) }) }
}
