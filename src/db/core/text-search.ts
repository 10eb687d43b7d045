import { type RawBuilder, sql } from 'kysely'

/**
 * Whether one of the columns has the text as a part, in upper or lower case, or one of the ids is it. Without a text, all rows match.
 * A scan: there is no index for parts of texts.
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
