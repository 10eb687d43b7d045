import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/db/core/database.ts'
import { TimeLimitReached, withinTime } from '../../src/db/core/time-limit.ts'
import { createDatabase } from '../harness/postgres.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const { url, drop: dropIt } = await createDatabase()
  drop = dropIt
  database = openDatabase(url, { connections: 1 })
})
afterAll(async () => {
  await database?.destroy()
  await drop?.()
})

const limitOf = async (one: Database) =>
  (await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(one)).rows[0]?.limit

test('a statement is ended at its limit, and later ones of the connection have none', async () => {
  await expect(withinTime(database, 0.2, (limited) => sql`select pg_sleep(60)`.execute(limited))).rejects.toThrow(
    TimeLimitReached,
  )
  expect(await limitOf(database)).toBe('0')
})

test('work within its limit has its result, and its own errors', async () => {
  expect(await withinTime(database, 30, limitOf)).toBe('30s')
  await expect(withinTime(database, 30, (limited) => sql`select 1 / 0`.execute(limited))).rejects.toThrow('zero')
})
