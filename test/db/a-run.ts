import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../src/db/core/database.ts'
import { createDatabase } from '../harness/postgres.ts'

/** A run in progress between two stores of an organisation, unclaimed. */
export async function aRun(database: Database) {
  const [organisationId, sourceStoreId, destinationStoreId, runId] = [
    randomUUID(),
    randomUUID(),
    randomUUID(),
    randomUUID(),
  ]
  await sql`insert into organisations (id, name, name_key) values (${organisationId}, 'One', ${organisationId})`.execute(
    database,
  )
  for (const [id, hash] of [
    [sourceStoreId, 'from'],
    [destinationStoreId, 'to'],
  ])
    await sql`insert into stores (id, organisation_id, hash, label, token_encrypted) values (${id}, ${organisationId}, ${hash}, 'shop', '')`.execute(
      database,
    )
  await sql`
    insert into runs (id, organisation_id, source_store_id, destination_store_id, mode, conflict_strategy, auto_heal, settings,
      selective, phases, status)
    values (${runId}, ${organisationId}, ${sourceStoreId}, ${destinationStoreId}, 'full', 'skip', false, '{}', false, '[]',
      'in_progress')`.execute(database)
  await sql`insert into run_leases (run_id) values (${runId})`.execute(database)
  return { runId, pair: { organisationId, sourceStoreId, destinationStoreId } }
}

/** The same in a database of its own, which `end` drops. */
export async function aRunInDatabase() {
  const { url, drop } = await createDatabase()
  const database = openDatabase(url)
  const end = async () => {
    await database.destroy()
    await drop()
  }
  return { database, run: await aRun(database), end }
}
