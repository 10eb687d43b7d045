import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/db/core/database.ts'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { anOrganisation, type Organisation } from '../api/a-service.ts'
import { tablesContaining } from '../engine/tables-containing.ts'
import { createDatabase } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { anEndedRun } from '../search/a-search.ts'
import { aStartedService, plantingOf, type StartedService } from '../search/a-started-service.ts'
import { runCommandHere } from './run-command.ts'

let service: StartedService
let organisation: Organisation
beforeAll(async () => {
  service = await aStartedService()
  organisation = await anOrganisation(service.planting, { name: 'Reed Lamps' })
  await anEndedRun(service.planting, organisation, { name: `Gift set for ${email}` })
  await until('the service has indexed it', async () => inIndex(email))
}, 120_000)
afterAll(() => service?.stop())

const email = 'jane@mail.example'
const customer = ['--customer', 'Jane@mail.example']

/** As bytes: what was deleted may still be in the files. */
function inIndex(text: string): boolean {
  const directory = dirname(service.path)
  return readdirSync(directory)
    .filter((name) => name.startsWith('search.sqlite'))
    .some((name) => readFileSync(join(directory, name)).includes(text))
}

const erase = (...options: string[]) =>
  runCommandHere(['erase', '--organisation', 'reed lamps', ...options], { environment: service.environment })

const refusal = (message: RegExp) => ({ code: 1, errors: expect.stringMatching(message) })

test('S9: beside a running service a shopper is erased from the database and from the files of the index', async () => {
  const would = await erase(...customer, '--dry-run')
  expect(would).toMatchObject({ code: 0, errors: '' })
  expect(would.output).toMatch(/^What Reed Lamps has of Jane@mail\.example:\n {2}Customers: not found at any store\n/)
  expect(would.output).toMatch(/store store[12] could not be asked: .*\n.*store store[12] could not be asked: /)
  // Each is asked for a while.
  await sql`update stores set token_encrypted = null, disconnected_at = now()`.execute(service.database)
  expect(would.output).toContain('2 texts with the address (issues 2): to be replaced')
  expect(would.output).toMatch(/Nothing was erased\.\n$/)
  expect(await erase(...customer)).toMatchObject(refusal(/^storeferry: Nothing was erased: add --yes /))
  expect(await tablesContaining(service, [email])).toEqual(['public.issues'])
  expect(inIndex(email)).toBe(true)

  const erased = await erase(...customer, '--yes')
  expect(erased).toMatchObject({ code: 0, errors: '' })
  expect(erased.output).toMatch(/It is erased here\. Not in the stores, in backups made before, .*\n$/)
  expect(await tablesContaining(service, [email])).toEqual([])
  expect(inIndex(email)).toBe(false)
  const { rows } = await sql`select item ->> 'name' as name from issues order by source_id`.execute(service.database)
  expect(rows).toEqual([{ name: 'Gift set for [erased] 1' }, { name: 'Gift set for [erased] 2' }])
  expect((await erase(...customer, '--dry-run')).output).toContain('0 texts with the address: ')
}, 120_000)

test('S9: an organisation is erased after its name was given, and the index forgets it', async () => {
  const would = await erase('--dry-run')
  expect(would.output).toMatch(
    /^All of Reed Lamps:\n {2}1 migration, and 1 person of no other organisation\n {2}\d+ rows \(.*issues 2, .*\)\n/,
  )
  expect(await erase()).toMatchObject(refusal(/^storeferry: Nothing was erased: add --yes /))
  expect(inIndex('Gift set')).toBe(true)
  const erased = await erase('--yes')
  expect(erased).toMatchObject({ code: 0, errors: '' })
  expect(erased.output).toMatch(/Reed Lamps is erased here\. Not in its stores, /)
  expect(await tablesContaining(service, [organisation.id, organisation.userId, 'Reed Lamps', 'Gift set'])).toEqual([])
  for (const text of [organisation.id, 'Gift set']) expect(inIndex(text)).toBe(false)
  expect(await erase('--yes')).toMatchObject(
    refusal(/There is no organisation named "reed lamps"\. Check the name in the list of organisations\.\n$/),
  )
}, 120_000)

/** An organisation in a database of its own, and the environment of a command that works on it. */
async function ownersOfReedRugs() {
  const { url, drop } = await createDatabase()
  const database = openDatabase(url)
  onTestFinished(async () => {
    await database.destroy()
    await drop()
  })
  const key = randomBytes(32)
  const planting = await plantingOf(database, key, 'http://localhost:4000')
  const owners = await anOrganisation(planting, { name: 'Reed Rugs' })
  const environment = { DATABASE_URL: url, STOREFERRY_KEY: key.toString('base64'), HOME: '/nonexistent' }
  return { database, environment, planting, owners }
}

test('S9: a shopper is erased from a database of one’s own, where no index is beside it', async () => {
  const { database, environment, planting, owners } = await ownersOfReedRugs()
  await anEndedRun(planting, owners, { name: `Rug for ${email}` })
  await sql`update stores set token_encrypted = null, disconnected_at = now()`.execute(database)
  const options = ['--organisation', 'Reed Rugs', '--customer', email, '--yes']
  const erased = await runCommandHere(['erase', ...options], { environment })
  expect(erased).toMatchObject({ code: 0, errors: '' })
  expect(erased.output).toContain('2 texts with the address (issues 2): to be replaced')
  expect(await tablesContaining({ database }, [email])).toEqual([])
})

test('S9, S12: an organisation that is erased while OpenSearch is away leaves it to the service to erase it there', async () => {
  const { database, environment, planting, owners } = await ownersOfReedRugs()
  const runId = await anEndedRun(planting, owners, { name: 'Rug' })
  const away = `http://127.0.0.1:${await freePort()}`
  const options = ['--organisation', 'Reed Rugs', '--yes']
  const erased = await runCommandHere(['erase', ...options], { environment: { ...environment, OPENSEARCH_URL: away } })
  expect(erased).toMatchObject(
    refusal(/The database is done, but the search index could not be cleaned: run "storeferry/),
  )
  const { rows } = await sql`select kind, subject_id as "runId" from outbox`.execute(database)
  expect(rows).toEqual([{ kind: 'run', runId }])
})

test.each([
  [['--customer-id', 'abc/1'], /--customer-id belongs to a shopper: name the email address/],
  [['--customer', 'a@b.example', '--customer-id', 'nothing'], /such as abc123\/41/],
  [['--customer', 'a@b.example', '--leave-switched-off'], /--leave-switched-off is for erasing an organisation/],
])('erase refuses %j', async (options, message) => {
  expect(await erase(...options)).toMatchObject(refusal(message))
})
