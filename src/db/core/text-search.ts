import { type RawBuilder, sql } from 'kysely'

/**
 * Whether one of the columns contains the text in any case, or one of the ids equals it. Without a text, every row
 * matches. This is a scan: no index covers parts of texts.
 */
export function mentions(
  text: string | null | undefined,
  columns: RawBuilder<unknown>,
  ids: RawBuilder<unknown> = sql`null`,
): RawBuilder<unknown> {
  const part = sql`${text ?? null}::text`
  return sql`(${part} is null or ${part} in (${ids}) or exists (
    select from unnest(array[${columns}]) column_text where position(lower(${part}) in lower(column_text)) > 0))`
}
