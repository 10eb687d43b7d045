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
  const wanted = sql`${text ?? null}::text`
  return sql`(${wanted} is null or ${wanted} in (${ids}) or exists (
    select from unnest(array[${columns}]) searched where position(lower(${wanted}) in lower(searched)) > 0))`
}
