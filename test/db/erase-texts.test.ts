import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseTexts } from '../../src/db/erase/erase-text.ts'
import { anOrganisation, aService, type Organisation, type Service } from '../api/a-service.ts'
import { addIssue, aQueuedRun } from '../api/migration-rows.ts'
import { mapItems } from '../harness/map-items.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service?.close())

/** An organisation with one issue of this message and name. */
async function withIssue(text: string): Promise<Organisation & { runId: string }> {
  const organisation = await anOrganisation(service)
  const runId = await aQueuedRun(service, organisation)
  const { database } = service.deps
  await addIssue(database, { id: runId, organisationId: organisation.id }, { sourceId: '1', name: text })
  await sql`update issues set message = ${text} where run_id = ${runId}`.execute(database)
  return { ...organisation, runId }
}

async function textsOf({ runId }: { runId: string }) {
  const { rows } = await sql<{ message: string; name: string }>`
    select message, item ->> 'name' as name from issues where run_id = ${runId}`.execute(service.deps.database)
  return rows[0]
}

const erase = ({ id }: Organisation, email: string) =>
  service.deps.database.transaction().execute((tx) => eraseTexts(tx, id, email))

test.each([
  ['for jane@mail.example', 'for [erased]'],
  ['JANE@Mail.Example.', '[erased].'],
  ['<jane@mail.example>, "jane@mail.example"', '<[erased]>, "[erased]"'],
  ['line\njane@mail.example\tend', 'line\n[erased]\tend'],
  ['/customers?email=jane%40mail.example&page=1', '/customers?email=[erased]&page=1'],
  ['\\jane@mail.example', '\\[erased]'],
])('S9: an address is erased from %j', async (text, left) => {
  const organisation = await withIssue(text)
  const erased = await erase(organisation, 'jane@mail.example')
  expect(erased).toEqual({ rows: { issues: 1 }, runIds: [organisation.runId] })
  expect(await textsOf(organisation)).toEqual({ message: left, name: left })
})

test.each([
  'maryjane@mail.example',
  'jane@mail.example.org',
  'mary.jane@mail.example',
  'jane@mailxexample',
  'jane',
])('S9: %j is the text of other people, and stays', async (text) => {
  const organisation = await withIssue(text)
  expect(await erase(organisation, 'jane@mail.example')).toEqual({ rows: {}, runIds: [] })
  expect(await textsOf(organisation)).toEqual({ message: text, name: text })
})

test('S9: signs that mean something in a pattern are taken literally', async () => {
  const organisation = await withIssue("for o'neil+(1)|x@mail.example")
  await erase(organisation, "o'neil+(1)|x@mail.example")
  expect(await textsOf(organisation)).toMatchObject({ message: 'for [erased]' })
})

test('S2: the same address stays with another organisation', async () => {
  const [one, other] = [await withIssue('for jane@mail.example'), await withIssue('for jane@mail.example')]
  await erase(one, 'jane@mail.example')
  expect(await textsOf(other)).toMatchObject({ message: 'for jane@mail.example' })
})

test('S9: rows of every kind of table are searched, lists and JSON included', async () => {
  const organisation = await withIssue('nothing here')
  const { database } = service.deps
  const email = 'jane@mail.example'
  await sql`
    update runs set label = ${email}, settings = ${JSON.stringify({ note: [email] })}::jsonb where id = ${organisation.runId}`.execute(
    database,
  )
  await mapItems(database, organisation.runId, [{ sourceId: '1', destinationId: '2', owed: [email, 'link'] }])
  await sql`
    insert into staged_items (run_id, pass, source_id, body)
    values (${organisation.runId}, 'brands', '1', ${JSON.stringify({ name: email })}::jsonb)`.execute(database)
  const { rows, runIds } = await erase(organisation, email)
  expect(rows).toEqual({ mappings: 1, runs: 1, staged_items: 1 })
  expect(runIds).toEqual([organisation.runId])
  const { rows: found } = await sql`
    select label, settings, owed, body from runs run join mappings on mappings.run_id = run.id
      join staged_items on staged_items.run_id = run.id where run.id = ${organisation.runId}`.execute(database)
  const erased = '[erased]'
  expect(found).toEqual([
    { label: erased, settings: { note: [erased] }, owed: [erased, 'link'], body: { name: erased } },
  ])
})
