import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/db/core/database.ts'
import { migrate } from '../../src/db/core/migrate.ts'
import { createDatabase } from '../harness/postgres.ts'
import { aRun } from './a-run.ts'

const folder = new URL('../../src/db/core/sql/', import.meta.url)

/** As the version before the file left it. */
async function olderDatabase(file: string) {
  const { url, drop } = await createDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  await client.query('create table schema_migrations (name text primary key, at timestamptz not null default now())')
  for (const name of (await readdir(folder)).filter((name) => name < file).sort()) {
    await client.query(await readFile(new URL(name, folder), 'utf8'))
    await client.query('insert into schema_migrations (name) values ($1)', [name])
  }
  await client.end()
  const database = openDatabase(url)
  onTestFinished(async () => {
    await database.destroy()
    await drop()
  })
  return { url, database }
}

test('D5: an upgrade keeps what earlier versions left to be switched on, put back and given back', async () => {
  const { url, database } = await olderDatabase('0018_side_effects.sql')
  const { runId, pair } = await aRun(database)
  const { organisationId, sourceStoreId, destinationStoreId } = pair
  await sql`
    insert into duties (organisation_id, source_store_id, destination_store_id, component, source_id, fields, due_at)
    values (${organisationId}, ${sourceStoreId}, ${destinationStoreId}, 'promotions', '7', '{"status":"ENABLED"}', null),
      (${organisationId}, ${sourceStoreId}, ${destinationStoreId}, 'promotions', '8', '{"status":"ENABLED"}', now())`.execute(
    database,
  )
  await sql`
    insert into muted_settings (platform, store_hash, setting, organisation_id, destination_store_id, run_id, original, ours, told_at)
    values ('BC', 'to', 'email-statuses', ${organisationId}, ${destinationStoreId}, ${runId}, '{"a":true}', '{"a":false}',
      now())`.execute(database)
  await sql`
    insert into stock_watches (platform, store_hash, organisation_id, destination_store_id, run_id)
    values ('BC', 'to', ${organisationId}, ${destinationStoreId}, ${runId})`.execute(database)
  await sql`
    insert into stock_before (platform, store_hash, product_id, variant_id, location_id, quantity)
    values ('BC', 'to', 1, 2, 3, 4)`.execute(database)
  await migrate(url)
  const { rows } = await sql`
    select kind, component, subject, source_store_id as source, desired, ours, due_at is not null as due,
      reported_at is not null as reported from side_effects
    where store_hash = 'to' and platform = 'BC' and organisation_id = ${organisationId} and run_id = ${runId}
      and destination_store_id = ${destinationStoreId} order by kind, subject`.execute(database)
  const promotion = {
    kind: 'deferred-write',
    component: 'promotions',
    source: sourceStoreId,
    ours: null,
    reported: false,
  }
  const orders = { component: 'orders', source: null, due: true }
  expect(rows).toEqual([
    { ...promotion, subject: '7', desired: { status: 'ENABLED' }, due: false },
    { ...promotion, subject: '8', desired: { status: 'ENABLED' }, due: true },
    { ...orders, kind: 'mail', subject: 'email-statuses', desired: { a: true }, ours: { a: false }, reported: true },
    { ...orders, kind: 'stock', subject: '', desired: {}, ours: null, reported: false },
  ])
  expect((await sql`select quantity from stock_before where store_hash = 'to'`.execute(database)).rows).toEqual([
    { quantity: 4 },
  ])
})

test('D5: an upgrade keeps which storefronts a script is to be switched on for', async () => {
  const { url, database } = await olderDatabase('0048_side_effects_of_storefronts.sql')
  const { runId, pair } = await aRun(database)
  const { organisationId, sourceStoreId, destinationStoreId } = pair
  await sql`update runs set source_storefront = '2', dest_storefront = '3' where id = ${runId}`.execute(database)
  await sql`
    insert into side_effects (platform, store_hash, kind, component, subject, organisation_id, source_store_id,
      destination_store_id, run_id, desired)
    select 'BC', 'to', 'deferred-write', component, 'one', ${organisationId}, ${sourceStoreId}, ${destinationStoreId},
      ${runId}, '{}' from unnest(array['scripts', 'promotions']) as component`.execute(database)
  await migrate(url)
  const { rows } = await sql`select component, scope from side_effects order by component`.execute(database)
  expect(rows).toEqual([
    { component: 'promotions', scope: 'store' },
    { component: 'scripts', scope: 'storefront:2>3' },
  ])
})
