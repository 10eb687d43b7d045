import { z } from 'zod'
import type { auditFilters, auditPage } from '../../contract/accounts/administration.ts'
import { type AuditFilters, type AuditRow, listAuditPage } from '../../db/accounts/audit.ts'
import { endPage, openCursor } from './list-cursor.ts'
import type { Deps } from './operation.ts'
import { openRowId, sealRowId } from './row-ids.ts'

type Page = z.infer<typeof auditPage>
/** Filters that a caller can set, within what they may see. */
interface Narrowing extends z.infer<z.ZodObject<typeof auditFilters>> {
  user?: string | undefined
}
const position = z.strictObject({ id: z.string() })

/**
 * One page of the audit log, newest first.
 *
 * @param bounds what the caller may see: an organisation, a person, or everything
 */
export async function readAuditPage(
  bounds: Pick<AuditFilters, 'organisationId' | 'actorUserId'>,
  { limit, cursor, user, from, before, ...given }: Narrowing,
  { database, keyring }: Deps,
): Promise<Page> {
  const filters: AuditFilters = {
    ...given,
    actorUserId: user,
    from: from === undefined ? undefined : new Date(from),
    before: before === undefined ? undefined : new Date(before),
    ...bounds,
  }
  const cursorScope = { list: 'audit', organisationId: filters.organisationId ?? '', filters: { ...filters } }
  const after = openCursor(keyring, cursorScope, position, cursor)
  const last = after && openRowId(keyring, 'audit', after.id)
  const rows = await listAuditPage(database, filters, { after: last ?? null, limit: limit + 1 })
  const items = rows.map((row) => ({ ...describe(row), id: sealRowId(keyring, 'audit', row.id) }))
  const { shown, nextCursor } = endPage(keyring, cursorScope, items, { limit, positionOf: ({ id }) => ({ id }) })
  return { items: shown, nextCursor }
}

function describe(row: AuditRow): Omit<Page['items'][number], 'id'> {
  const { at, action, actor, details, organisationId, organisationName, actorUserId, userName, userEmail } = row
  return {
    at: at.toISOString(),
    action,
    actor,
    user: actorUserId === null ? null : { id: actorUserId, name: userName ?? '', email: userEmail ?? '' },
    organisation: organisationId === null ? null : { id: organisationId, name: organisationName ?? '' },
    details: details ?? {},
  }
}
