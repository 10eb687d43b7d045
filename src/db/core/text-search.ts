import { type RawBuilder, sql } from 'kysely'

/**
 * Whether one of the columns contains the text in any case, or one of the ids equals it. Without a text, every row
 * matches. This is a scan: no index covers parts of texts. PostgreSQL divides it among processes, because each column
 * has a condition of its own.
 */
export function mentions(
  text: string | null | undefined,
  columns: readonly RawBuilder<unknown>[],
  ids: readonly RawBuilder<unknown>[] = [],
): RawBuilder<unknown> {
  if (text === null || text === undefined) return sql`true`
  const equal = ids.map((id) => sql`${id} = ${text}`)
  const containing = columns.map((column) => sql`position(lower(${text}::text) in lower(${column})) > 0`)
  return sql`(${sql.join([...equal, ...containing], sql` or `)})`
}
