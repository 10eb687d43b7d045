import { z } from 'zod'
import type { auditPage } from '../../contract/administration.ts'
import { type AuditFilters, type AuditRow, listAuditPage } from '../../db/accounts/audit.ts'
import { endPage, openCursor } from './list-cursor.ts'
import type { Deps } from './operation.ts'
import { openRowId, sealRowId } from './row-ids.ts'

type Page = z.infer<typeof auditPage>
const position = z.strictObject({ id: z.string() })

/** One page of the audit log, newest first. */
export async function readAuditPage(
  filters: AuditFilters,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  { database, keyring }: Deps,
): Promise<Page> {
  const cursorScope = { list: 'audit', organisationId: filters.organisationId ?? '', filters: { ...filters } }
  const before = openCursor(keyring, cursorScope, position, cursor)
  const last = before && openRowId(keyring, 'audit', before.id)
  const rows = await listAuditPage(database, filters, { before: last ?? null, limit: limit + 1 })
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
