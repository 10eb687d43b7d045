import { connect, type LookupFunction } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../db/core/database.ts'
import { freePort } from '../../db/postgres/free-port.ts'
import { isDatabaseAway } from './database-away.ts'

test('a database is away when nothing listens on its port or socket', async () => {
  for (const url of [`postgres://anyone@127.0.0.1:${await freePort()}/none`, 'postgres://anyone@/none?host=/nowhere']) {
    const database = openDatabase(url)
    const error = await sql`select 1`.execute(database).catch((thrown: unknown) => thrown)
    expect(isDatabaseAway(error), String(error)).toBe(true)
    await database.destroy()
  }
})

test('a database is away when its server has no name or no way leads to it', async () => {
  const unnamed = 'postgres://anyone@database.invalid/none'
  const database = openDatabase(unnamed)
  const error = await sql`select 1`.execute(database).catch((thrown: unknown) => thrown)
  expect(isDatabaseAway(error), String(error)).toBe(true)
  await database.destroy()
  for (const [code, syscall] of [
    ['EAI_AGAIN', 'getaddrinfo'],
    ['EHOSTUNREACH', 'connect'],
    ['EHOSTUNREACH', 'read'],
    ['ENETUNREACH', 'connect'],
  ])
    expect(isDatabaseAway(Object.assign(new Error('It failed.'), { code, syscall })), `${code} ${syscall}`).toBe(true)
})

test('a database is away when nothing listens at any of the addresses of its name, as localhost has two', async () => {
  const port = await freePort()
  const lookup: LookupFunction = (_name, _options, found) =>
    found(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ])
  const error = await new Promise((thrown) => connect({ host: 'database.example', port, lookup }).once('error', thrown))
  expect(error).toBeInstanceOf(AggregateError)
  expect(isDatabaseAway(error)).toBe(true)
  expect(isDatabaseAway(new AggregateError([new Error('Anything else.')]))).toBe(false)
})

test.each([
  ['08006', true],
  ['25006', true],
  ['53100', true],
  ['53200', true],
  ['53300', true],
  ['57P01', true],
  ['57P03', true],
  ['25P03', true],
  ['23505', false],
  ['40001', false],
  ['42P01', false],
  ['57014', false],
])('a statement that fails with %s: away is %s', (code, away) => {
  expect(isDatabaseAway(Object.assign(new Error('It failed.'), { code }))).toBe(away)
})

test('a missing file does not count as a database that is away', () => {
  expect(isDatabaseAway(Object.assign(new Error('No such file.'), { code: 'ENOENT', syscall: 'open' }))).toBe(false)
  expect(isDatabaseAway(new Error('Anything else.'))).toBe(false)
})
