import { sql } from 'kysely'
import type { InTransaction } from '../core/database.ts'
import { listOrganisationTables, type OrganisationTable, rowsOf } from './organisation-tables.ts'

/** Takes the place of an address. */
export const erasedText = '[erased]'

/** Members and invited people: their addresses are those of accounts, and end with these. */
const ofAccounts = new Set(['invitations'])

export interface ErasedTexts {
  /** Rows changed, by table. */
  rows: Record<string, number>
  /** Runs whose answers have changed. */
  runIds: string[]
}

/**
 * Replaces an email address wherever an organisation's rows contain it in clear: in texts and in JSON, also as it is
 * written in addresses of pages. The service stores no address of a shopper in clear, but people write texts, such as
 * the label of a migration, and shops name catalogue items as they like.
 */
export async function eraseTexts(tx: InTransaction, organisationId: string, email: string): Promise<ErasedTexts> {
  const rows: Record<string, number> = {}
  const runIds = new Set<string>()
  await readListsAgain(tx, organisationId, emailPattern(email))
  for (const table of await listOrganisationTables(tx)) {
    if (ofAccounts.has(table.name)) continue
    const changed = await eraseFrom(tx, organisationId, table, emailPattern(email))
    if (changed.length > 0) rows[table.name] = changed.length
    for (const runId of changed) if (runId !== null) runIds.add(runId)
  }
  return { rows, runIds: [...runIds].sort() }
}

/**
 * Has runs that go on read the lists of the source again of which they keep such an item (`stageAll`): otherwise they
 * would copy what takes the place of the address.
 */
async function readListsAgain(tx: InTransaction, organisationId: string, pattern: string): Promise<void> {
  await sql`
    delete from checkpoints staged using staged_items item
    where staged.run_id = item.run_id and staged.pass = item.pass || ':staged' and item.body::text ~* ${pattern}
      and item.run_id in (select id from runs where organisation_id = ${organisationId})`.execute(tx)
}

/** @returns for each row changed, the run it belongs to, if any */
async function eraseFrom(
  tx: InTransaction,
  organisationId: string,
  table: OrganisationTable,
  pattern: string,
): Promise<(string | null)[]> {
  const { rows: columns } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = ${table.name}::regclass and attnum > 0 and not attisdropped
      and format_type(atttypid, null) in ('text', 'text[]', 'json', 'jsonb', 'character varying')
    order by attnum`.execute(tx)
  if (columns.length === 0) return []
  const replaced = columns.map(({ name, type }) => {
    const value = sql.ref(name)
    return sql`${value} = regexp_replace(${value}::text, ${pattern}, ${erasedText}, 'gi')::${sql.raw(type)}`
  })
  const found = columns.map(({ name }) => sql`${sql.ref(name)}::text ~* ${pattern}`)
  const { rows } = await sql<{ runId: string | null }>`
    update ${sql.table(table.name)} set ${sql.join(replaced)}
    where ${rowsOf(organisationId, table)} and (${sql.join(found, sql` or `)})
    returning ${await runOf(tx, table)} as "runId"`.execute(tx)
  return rows.map(({ runId }) => runId)
}

async function runOf(tx: InTransaction, { name }: OrganisationTable) {
  if (name === 'runs') return sql`id`
  const { rows } = await sql`
    select 1 from pg_attribute where attrelid = ${name}::regclass and attname = 'run_id' and not attisdropped`.execute(
    tx,
  )
  return rows.length > 0 ? sql`run_id` : sql`null::uuid`
}

/**
 * A regular expression of PostgreSQL for the whole address, so that it does not cut longer addresses of other people. In JSON,
 * a line break before it is a backslash and a letter.
 */
function emailPattern(email: string): string {
  const literally = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '\\$&')
  const encoded = encodeURIComponent(email)
  const written = encoded === email ? literally(email) : `(?:${literally(email)}|${literally(encoded)})`
  const starts = '(?:(?<![[:alnum:]._%+-])|(?<=\\\\[bfnrt])|(?<=\\\\u[0-9a-f]{4})|(?<=%[0-9a-f]{2}))'
  return `${starts}${written}(?![[:alnum:]-]|\\.[[:alnum:]])`
}
