import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { lockNumbers } from './lock-numbers.ts'

/** The tables that a run's child process reads and writes. Tables for sign-in and keys are left out (S20). */
export const runTables = [
  'runs',
  'run_counters',
  'run_calls',
  'run_phase_times',
  'issues',
  'failed_items',
  'differences',
  'deletions',
  'snapshots',
  'outbox',
  'notification_events',
  'run_leases',
  'destination_leases',
  'quota_shares',
  'used_up_windows',
  'endpoint_slots',
  'mapping_sets',
  'mappings',
  'intents',
  'settled_writes',
  'ledger',
  'ledger_pages',
  'checkpoints',
  'staged_items',
  'destination_items',
  'destination_keys',
  'before_images',
  'source_keys',
  'source_ids',
  'prune_candidates',
  'planned_mappings',
  'planned_keys',
  'scope_items',
  'named_items',
  'restarts',
  'preflights',
  'plan_bases',
  'side_effects',
  'stock_before',
  'stock_sold',
  'started_stock',
  'moved_addresses',
  'rewritten_links',
] as const

/** Everything about a store except its token, which the host decrypts and passes on by IPC. */
const storeColumns = ['id', 'organisation_id', 'platform', 'hash', 'label', 'platform_client_id', 'connected_at']

/**
 * Creates or updates the database role that child processes of runs connect as.
 *
 * The caller derives the password from the master key, so every host gets the same one and none is stored. It is sent
 * to the server as a SCRAM verifier only, because statements can end up in a log.
 *
 * @param databaseUrl of a user who owns the tables and may create roles.
 * @returns connection string of the run role; holds the password, so never log it.
 */
export async function prepareRunRole(databaseUrl: string, password: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'storeferry run role' })
  await client.connect()
  try {
    // Hosts that start at the same time wait for each other.
    await client.query('select pg_advisory_lock($1)', [lockNumbers.runRole])
    const database = (await client.query<{ name: string }>('select current_database() as name')).rows[0]?.name ?? ''
    const role = roleNameOf(database)
    await client.query('begin')
    for (const statement of await statementsFor(client, { role, database, password })) await client.query(statement)
    await client.query('commit')
    return urlOf(databaseUrl, role, password)
  } catch (error) {
    throw explain(error)
  } finally {
    await client.end()
  }
}

async function statementsFor(
  client: pg.Client,
  { role, database, password }: { role: string; database: string; password: string },
): Promise<string[]> {
  const known = await client.query('select 1 from pg_roles where rolname = $1', [role])
  const name = pg.escapeIdentifier(role)
  return [
    `${known.rowCount ? 'alter' : 'create'} role ${name} login noinherit nocreatedb nocreaterole`,
    `alter role ${name} password ${pg.escapeLiteral(scramVerifier(password))}`,
    `grant connect on database ${pg.escapeIdentifier(database)} to ${name}`,
    `revoke all on all tables in schema public from ${name}`,
    `grant usage on schema public to ${name}`,
    `grant select, insert, update, delete on ${runTables.join(', ')} to ${name}`,
    `grant select on organisations, mappings_of_pairs to ${name}`,
    `grant select (${storeColumns.join(', ')}), update (platform_client_id) on stores to ${name}`,
  ]
}

/** Role names are shared by all databases of a server and truncated at 63 bytes. */
function roleNameOf(database: string): string {
  const name = `${database}_run`
  if (Buffer.byteLength(name) <= 63) return name
  return `storeferry_run_${createHash('sha256').update(database).digest('hex').slice(0, 32)}`
}

/** The form in which PostgreSQL stores a password. Source: RFC 5802 section 3 and PostgreSQL "pg_authid". */
function scramVerifier(password: string): string {
  const iterations = 4096
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const hmac = (key: string) => createHmac('sha256', salted).update(key).digest()
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${hmac('Server Key').toString('base64')}`
}

function urlOf(databaseUrl: string, role: string, password: string): string {
  const url = new URL(databaseUrl)
  url.username = encodeURIComponent(role)
  url.password = encodeURIComponent(password)
  // Query parameters win over what comes before the host, and an address without a host has only them.
  for (const [name, value] of Object.entries({ user: role, password }))
    if (url.hostname === '' || url.searchParams.has(name)) url.searchParams.set(name, value)
  return url.href
}

/** 42501 is insufficient_privilege, the only refusal an operator can fix. */
function explain(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code !== '42501') return error
  return new Error(
    'The user of DATABASE_URL may not manage the role that runs connect as; give it CREATEROLE and the ownership of the tables, then start again.',
    { cause: error },
  )
}
