import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { restoreBackup } from '../../src/db/backup/restore-backup.ts'
import { writeBackup } from '../../src/db/backup/write-backup.ts'
import { isLong } from '../harness/long-form.ts'
import { expectSoundEnd } from '../harness/sound-end.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'
import { pausedAtProducts } from './paused-at-products.ts'

/** Entities that are recognised in different ways (by a name, an address, a code, a mark of ours, their content), and what they need. */
const entities = [
  ...['currencies', 'tax-classes', 'brands', 'categories', 'products', 'customer-groups', 'customers', 'wishlists'],
  ...['pages', 'redirects', 'banners', 'coupons', 'price-lists', 'blog-posts', 'orders'],
]

async function aBackupOf(world: World): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sf-restored-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const path = join(directory, 'storeferry.backup')
  await writeBackup(world.database, path, { version: '1', at: new Date(), signal: new AbortController().signal })
  return path
}

/** The database is lost, and an empty one of the same schema filled from the backup. */
async function loseAndRestore(world: World, path: string): Promise<void> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'schema_migrations'`.execute(
    world.database,
  )
  const truncate = sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`
  const restore = () => restoreBackup(world.database, path, { at: new Date(), checkKey: async () => undefined })
  // The service is running, and a statement of its own may hold one of the tables while it waits for another one.
  await until('the tables are empty', () => truncate.execute(world.database).then(() => true, unlessDeadlock))
  await until('the backup is restored', () => restore().then(() => true, unlessDeadlock))
}

function unlessDeadlock(error: unknown): false {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  if ([code, cause?.code].includes('40P01')) return false
  throw error
}

/** As the owner, who logs in again. */
async function loggedIn(world: World) {
  const send = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    fetch(`${world.url}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const login = await send('POST', '/v2/login', {}, world.identity)
  expect(login.status).toBe(200)
  const { access_token: token } = (await login.json()) as { access_token: string }
  return (method: string, path: string) => send(method, path, { authorization: `Bearer ${token}` })
}

async function openFailures(world: World, id: string): Promise<unknown[]> {
  const { rows } = await sql`
    select component, code, source_id as "sourceId", message from issues
    where run_id = ${id} and severity = 'failure' and state = 'open' order by 1, 3`.execute(world.database)
  return rows
}

/** How many rows each table of the destination has. */
async function sizes(world: World): Promise<Record<string, number>> {
  const state = await world.state('destination')
  return Object.fromEntries(Object.entries(state).map(([table, rows]) => [table, rows.length]))
}

/** Backs up while the first banner has no answer yet, of which the platform would accept another; @returns the run and the backup. */
async function backedUpAtBanners(world: World): Promise<{ id: string; backup: string }> {
  const creation = { method: 'POST', path: '/v2/banners$' }
  await world.fault('destination', { kind: 'hold_after_applying', ...creation, times: null })
  const id = await world.migrate()
  await until('a banner is held', async () => (await world.faults('destination')).some(({ hits }) => hits > 0))
  const backup = await aBackupOf(world)
  await world.clearFaults('destination')
  await world.release('destination')
  return { id, backup }
}

async function backedUpPaused(world: World): Promise<{ id: string; backup: string }> {
  const id = await pausedAtProducts(world)
  const backup = await aBackupOf(world)
  await world.api('POST', `/v2/migrations/${id}/resume`)
  return { id, backup }
}

test.each([
  ['in progress', backedUpAtBanners],
  ...(isLong ? [['paused', backedUpPaused] as const] : []),
] as const)('S6, B4: a run that was %s goes on after a restore and doubles nothing of what was copied after the backup; old tokens are dead', async (_, backUp) => {
  const world = await startWorld({ processes: true, entities })
  onTestFinished(() => world.stop())
  const before = await sizes(world)
  const { id, backup } = await backUp(world)
  await world.finished(id)
  const copied = await sizes(world)
  const failures = await openFailures(world, id)
  expect(copied.orders).toBeGreaterThan(before.orders ?? 0)

  await loseAndRestore(world, backup)
  expect((await world.api('GET', `/v2/migrations/${id}`)).status).toBe(401)
  const api = await loggedIn(world)
  const detail = async () => (await (await api('GET', `/v2/migrations/${id}`)).json()) as MigrationDetail
  expect((await detail()).status).toBe('paused')
  expect((await api('POST', `/v2/migrations/${id}/resume`)).status).toBe(202)
  await until('the run has ended', async () => !['queued', 'in_progress'].includes((await detail()).status), {
    seconds: 300,
  })
  expect(await openFailures(world, id)).toEqual(failures)
  await expectSoundEnd({ database: world.database }, id)
  expect(await sizes(world)).toEqual(copied)
})
