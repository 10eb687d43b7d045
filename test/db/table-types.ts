import { readFile } from 'node:fs/promises'
import type pg from 'pg'

interface CatalogColumn {
  table: string
  name: string
  type: string
  nullable: boolean
  /** Definitions of the checks on this column alone. */
  checks: string[]
}

/** As node-postgres returns them; 8-byte integers are numbers by the parser of database.ts. */
const typesOfPostgres: Record<string, string> = {
  _text: 'string[]',
  bool: 'boolean',
  bytea: 'Buffer',
  float4: 'number',
  int4: 'number',
  int8: 'number',
  json: 'unknown',
  jsonb: 'unknown',
  text: 'string',
  timestamptz: 'Date',
  uuid: 'string',
}

/** Source of src/db/core/tables.ts: one interface for each table of a migrated database. */
export async function writeTableTypes(client: pg.Client): Promise<string> {
  const columns = await readColumns(client)
  const stored = await storedTypes(columns)
  const tables = Map.groupBy(columns, ({ table }) => table)
  const interfaces = [...tables].map(([table, ofTable]) => {
    const lines = ofTable.map((column) => `  ${camelCase(column.name)}: ${typeOf(column, stored)}\n`)
    return `interface ${pascalCase(table)} {\n${lines.join('')}}\n`
  })
  const names = [...tables.keys()].map((table) => `  ${table}: ${pascalCase(table)}\n`)
  return [
    '// Generated from the migrated database by `UPDATE_TABLES=1 npm test -- test/db/tables.test.ts`. Do not edit.\n',
    "import type { StoredTypes } from './stored-types.ts'\n",
    ...interfaces,
    `/** All tables, their columns by the names that queries give them. */\nexport interface Tables {\n${names.join('')}}\n`,
  ].join('\n')
}

async function readColumns(client: pg.Client): Promise<CatalogColumn[]> {
  const { rows } = await client.query<CatalogColumn>(`
    select c.relname as table, a.attname as name, t.typname as type, not a.attnotnull as nullable,
      array(select pg_get_constraintdef(k.oid) from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as checks
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      and c.relname <> 'schema_migrations'
    order by c.relname, a.attnum`)
  return rows
}

/** The columns that stored-types.ts names. A key without a column would silently type nothing. */
async function storedTypes(columns: CatalogColumn[]): Promise<Set<string>> {
  const source = await readFile(new URL('../../src/db/core/stored-types.ts', import.meta.url), 'utf8')
  const keys = [...source.matchAll(/^ {2}'(\w+\.\w+)':/gm)].map(([, key]) => key ?? '')
  const known = new Set(columns.map(({ table, name }) => `${table}.${name}`))
  const unknown = keys.filter((key) => !known.has(key))
  if (unknown.length > 0) throw new Error(`stored-types.ts names columns that do not exist: ${unknown.join(', ')}`)
  return new Set(keys)
}

function typeOf({ table, name, type, nullable, checks }: CatalogColumn, stored: Set<string>): string {
  const key = `${table}.${name}`
  const plain = stored.has(key) ? `StoredTypes['${key}']` : (listedValues(checks) ?? typesOfPostgres[type])
  if (!plain) throw new Error(`No TypeScript type for ${key}, which is of type ${type}`)
  return nullable && plain !== 'unknown' ? `${plain} | null` : plain
}

/** The union of a check such as `role in ('owner', 'viewer')`, which the catalog spells with `= any (array[...])`. */
function listedValues(checks: string[]): string | undefined {
  const lists = checks.filter((check) => /^CHECK \(\(\w+ = (ANY \(ARRAY\[.*\]\)|'[^']*'::text)\)\)$/.test(check))
  const values = lists.flatMap((check) => [...check.matchAll(/'([^']*)'::text/g)].map(([, value]) => `'${value}'`))
  return values.length > 0 ? values.join(' | ') : undefined
}

/** MiB is a unit, not a word. */
function camelCase(name: string): string {
  return name.replace(/_mib$/, '_miB').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function pascalCase(name: string): string {
  const camel = camelCase(name)
  return camel.charAt(0).toUpperCase() + camel.slice(1)
}
