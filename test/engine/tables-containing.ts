import { sql } from 'kysely'
import { expect } from 'vitest'
import type { World } from '../harness/world.ts'

/** Tables of every schema that contain one of the texts in any column. */
export async function tablesContaining(world: Pick<World, 'database'>, texts: readonly string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(
    world.database,
  )
  expect(tables.length).toBeGreaterThan(20)
  const patterns = texts.map((text) => `%${text}%`)
  const matching = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } =
        await sql`select 1 from ${sql.raw(name)} as t where t::text like any(${patterns}) limit 1`.execute(
          world.database,
        )
      return rows.length > 0 ? [name] : []
    }),
  )
  return matching.flat()
}
