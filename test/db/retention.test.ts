import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MigrationStatus } from '../../src/contract/status.ts'
import { forgetFindings, forgetOriginals } from '../../src/db/runs/forget-findings.ts'
import { writeSnapshot } from '../../src/db/runs/snapshots.ts'
import { anOrganisation, aService, type Organisation, type Service } from '../api/a-service.ts'
import { addDifference, addIssue } from '../api/migration-rows.ts'
import { anEndedRun, aSearch } from '../search/a-search.ts'

let service: Service
let organisation: Organisation
let token: string
beforeAll(async () => {
  service = await aService()
  organisation = await anOrganisation(service)
  token = await organisation.token()
})
afterAll(() => service.close())

/** A run with an original of a customer and one of a brand, two issues and a difference. */
async function aRunThatEnded(daysAgo: number, status: MigrationStatus = 'completed'): Promise<string> {
  const { database } = service.deps
  const id = await anEndedRun(service, organisation, { status })
  await addDifference(database, { id, organisationId: organisation.id }, { kind: 'missing' })
  await sql`update runs set finished_at = now() - ${daysAgo} * interval '1 day' where id = ${id}`.execute(database)
  await sql`
    insert into before_images (organisation_id, run_id, component, destination_id, action, body, body_sealed)
    values (${organisation.id}, ${id}, 'customers', '7', 'update', null, 'planted'),
      (${organisation.id}, ${id}, 'brands', '8', 'delete', '{"name": "Acme"}', null)`.execute(database)
  return id
}

const settings = { personal: 30, originals: undefined, findings: undefined }

/** As hosts do, one run at a time. */
async function forget(retention: Parameters<typeof forgetOriginals>[1] = settings, times = 5): Promise<void> {
  for (let time = 0; time < times; time++) {
    await forgetOriginals(service.deps.database, retention)
    await forgetFindings(service.deps.database, retention)
  }
}

async function left(id: string) {
  const list = async (name: string) => (await service.get(`/v2/migrations/${id}/${name}`, token)).json().items
  const components = (await list('before-images')).map(({ component }: { component: string }) => component)
  return [components.join(), (await list('issues')).length, (await list('differences')).length]
}

async function saltOf(id: string): Promise<string | undefined> {
  const { rows } = await sql<{ salt: string }>`
    select encode(before_image_salt, 'hex') as salt from runs where id = ${id}`.execute(service.deps.database)
  return rows[0]?.salt
}

test('S9: saved originals of people are deleted 30 days after a migration ended, with the key they were encrypted with', async () => {
  const [old, recent, healable] = [
    await aRunThatEnded(31),
    await aRunThatEnded(29),
    await aRunThatEnded(31, 'partial_completed'),
  ]
  const salts = [await saltOf(old), await saltOf(recent)]
  await forget()
  expect([await left(old), await left(recent), await left(healable)]).toEqual([
    ['brands', 2, 1],
    ['brands,customers', 2, 1],
    ['brands', 2, 1],
  ])
  expect(await saltOf(old)).toMatch(/^[0-9a-f]{64}$/)
  expect(await saltOf(old)).not.toBe(salts[0])
  expect(await saltOf(recent)).toBe(salts[1])
})

test('S9: those of a migration that was healed later, and ended again, are deleted as well', async () => {
  const id = await aRunThatEnded(40)
  await forget()
  const { database } = service.deps
  await sql`
    insert into before_images (organisation_id, run_id, component, destination_id, action, body, body_sealed)
    values (${organisation.id}, ${id}, 'customers', '9', 'update', null, 'planted')`.execute(database)
  await sql`update runs set personal_forgotten_at = now() - interval '35 days',
    finished_at = now() - interval '34 days' where id = ${id}`.execute(database)
  await forget()
  expect((await left(id))[0]).toBe('brands')
})

test('nothing of a migration that is under way is deleted, however long ago it ended before', async () => {
  const id = await aRunThatEnded(400)
  await sql`update runs set status = 'in_progress' where id = ${id}`.execute(service.deps.database)
  await forget({ personal: 1, originals: 1, findings: 1 })
  expect(await left(id)).toEqual(['brands,customers', 2, 1])
})

test('other originals, issues and differences stay unless they have a time; then their numbers stay, and the index forgets them too', async () => {
  const { index, store } = aSearch(service)
  const [old, recent, healable] = [
    await aRunThatEnded(100),
    await aRunThatEnded(50),
    await aRunThatEnded(100, 'partial_completed'),
  ]
  await index()
  const before = (await service.get(`/v2/migrations/${old}`, token)).body
  await forget()
  expect(await left(old)).toEqual(['brands', 2, 1])
  await forget({ personal: 30, originals: 90, findings: 60 }, 20)
  expect([await left(old), await left(recent), await left(healable)]).toEqual([
    ['', 0, 0],
    ['brands', 2, 1],
    // It can be healed, which needs its issues.
    ['', 2, 1],
  ])
  await index()
  const detail = await service.get(`/v2/migrations/${old}`, token)
  expect([detail.headers['x-read-source'], detail.body]).toEqual([store.name, before])
  const found = await store.countIssues(organisation.id, { withoutRuns: [] })
  const { rows } = await sql<{ issues: number }>`
    select count(*)::integer as issues from issues where organisation_id = ${organisation.id}`.execute(
    service.deps.database,
  )
  expect(found?.total).toBe(rows[0]?.issues)
})

test('a migration whose issues were deleted keeps its place among those with most open failures', async () => {
  const { database } = service.deps
  const id = await aRunThatEnded(100, 'cancelled')
  await addIssue(database, { id, organisationId: organisation.id }, { sourceId: '3' })
  await database.transaction().execute((tx) => writeSnapshot(tx, organisation.id, id))
  await forget({ ...settings, findings: 60 }, 20)
  const [first] = (await service.get('/v2/migrations?sort=failures&limit=1', token)).json().items
  expect(first).toMatchObject({ requestId: id, failuresOpen: 2 })
})
