import { createHmac, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'
import type { Keyring } from '../../accounts/encryption.ts'
import { ServiceError } from '../../contract/service-error.ts'

/** What a cursor is bound to: organisation, list and filters (S23). */
export interface CursorScope {
  list: string
  organisationId: string
  filters: Record<string, unknown>
}

/** An authenticated position in a list; it reveals nothing beyond the previous page. */
export function sealCursor<Position>(keyring: Keyring, cursorScope: CursorScope, position: Position): string {
  const said = Buffer.from(JSON.stringify(position)).toString('base64url')
  return `${said}.${seal(keyring, cursorScope, said).toString('base64url')}`
}

/**
 * @returns null without a cursor, for the start of the list
 * @throws ServiceError `validation_failed` when it is not a cursor for this list
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
  return shape.parse(JSON.parse(Buffer.from(said, 'base64url').toString()))
}

/**
 * The page made from the rows read for it, with the cursor of the next page.
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

/** Authenticated before it is parsed, so only our own text is parsed. */
function seal(keyring: Keyring, { list, organisationId, filters }: CursorScope, said: string): Buffer {
  const filtered = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return createHmac('sha256', keyring.subkey('list cursors'))
    .update(JSON.stringify([list, organisationId, filtered, said]))
    .digest()
}

function foreignCursor(): ServiceError {
  const message = 'This cursor belongs to another list or other filters; leave it out to start from the beginning.'
  return new ServiceError('validation_failed', message, { errors: { cursor: [message] } })
}
