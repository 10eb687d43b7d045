import { createHmac, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import type { Keyring } from '../../accounts/encryption.ts'
import { ServiceError } from '../../contract/service-error.ts'

/** What a cursor is valid for: one organisation, list and set of filters (S23). */
export interface CursorScope {
  list: string
  organisationId: string
  filters: Record<string, unknown>
}

/** An authenticated position in a list. Reveals nothing that the previous page did not. */
export function sealCursor<Position>(keyring: Keyring, cursorScope: CursorScope, position: Position): string {
  const said = Buffer.from(JSON.stringify(position)).toString('base64url')
  return `${said}.${seal(keyring, cursorScope, said).toString('base64url')}`
}

/**
 * @returns null without a cursor, for the start of the list
 * @throws ServiceError `validation_failed` if it is not a cursor of this list
 */
export function openCursor<Position>(
  keyring: Keyring,
  cursorScope: CursorScope,
  shape: z.ZodType<Position>,
  cursor: string | undefined,
): Position | null {
  if (cursor === undefined) return null
  const [said = '', sealed = ''] = cursor.split('.')
  const given = Buffer.from(sealed, 'base64url')
  const expected = seal(keyring, cursorScope, said)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw foreignCursor()
  const parsed = shape.safeParse(JSON.parse(Buffer.from(said, 'base64url').toString()))
  // One of an earlier version.
  if (!parsed.success) throw foreignCursor()
  return parsed.data
}

/**
 * The page, and the cursor of the next one, from the rows that were read.
 *
 * @param rows one more than `limit` if there is another page
 */
export function endPage<Row, Position>(
  keyring: Keyring,
  cursorScope: CursorScope,
  rows: readonly Row[],
  { limit, positionOf }: { limit: number; positionOf(row: Row): Position },
): { shown: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { shown, nextCursor: last === undefined ? null : sealCursor(keyring, cursorScope, positionOf(last)) }
}

/** Authenticated before it is parsed, so that only text of our own is parsed. */
function seal(keyring: Keyring, { list, organisationId, filters }: CursorScope, said: string): Buffer {
  const filtered = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return createHmac('sha256', keyring.key('list cursors'))
    .update(JSON.stringify([list, organisationId, filtered, said]))
    .digest()
}

function foreignCursor(): ServiceError {
  const message = 'This cursor belongs to another list or other filters; leave it out to start from the beginning.'
  return new ServiceError('validation_failed', message, { errors: { cursor: [message] } })
}
