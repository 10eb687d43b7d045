import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rotateCredential } from '../../src/accounts/api-credentials.ts'
import { recordAudit } from '../../src/db/accounts/audit.ts'
import { insertInvitation } from '../../src/db/accounts/invitations.ts'
import { listOrganisationTables } from '../../src/db/erase/organisation-tables.ts'
import { saveConnection } from '../../src/db/oauth/oauth-connections.ts'
import { saveRecord } from '../../src/db/oauth/oauth-records.ts'
import {
  type ErasedOrganisation,
  eraseOrganisation,
  type OrganisationToErase,
} from '../../src/operations/administration/erase-organisation.ts'
import { appointMember } from '../../src/operations/members/appoint-member.ts'
import { cancelAsAdministrator } from '../../src/operations/shared/runs/control-run.ts'
import { aBrowser, anOrganisation, aPerson, aService, type Organisation, type Service } from '../api/a-service.ts'
import { addDifference, aQueuedRun, bringTo } from '../api/migration-rows.ts'
import { tablesContaining } from '../engine/tables-containing.ts'
import { untilWaiting } from '../harness/lock-waits.ts'
import { anEndedRun, aSearch } from '../search/a-search.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
  // As the first worker makes it.
  await sql`create schema pgboss`.execute(service.deps.database)
  await sql`create table pgboss.job (data jsonb)`.execute(service.deps.database)
})
afterAll(() => service?.close())

const at = new Date('2027-01-31T12:00:00Z')

/** An organisation with something in every table that a service fills without a worker. */
async function aFullOrganisation(name: string): Promise<Organisation & { runId: string }> {
  const { database } = service.deps
  const organisation = await anOrganisation(service, { name, stores: ['store1', 'store2'] })
  const { id: organisationId, userId } = organisation
  await organisation.token()
  await organisation.cookie()
  const runId = await anEndedRun(service, organisation, { name: `Lamp of ${name}` })
  await addDifference(database, { id: runId, organisationId }, { kind: 'missing', sourceId: '1' })
  const email = `invited.${organisationId}@shop.example`
  const person = { id: randomUUID(), firstName: 'Mary', lastName: 'Shelley', email, emailKey: email }
  const link = { tokenHash: Buffer.from(organisationId), expiresAt: new Date('2099-01-01') }
  await database
    .transaction()
    .execute((tx) => insertInvitation(tx, { ...person, ...link, organisationId, role: 'viewer' }))
  const details = { from: `Ada of ${name}`, to: 'Ada Lovelace' }
  await recordAudit(database, {
    ...{ organisationId: null, actorUserId: userId, actor: 'user', action: 'name.change', details, at },
  })
  await recordAudit(database, {
    ...{ organisationId, actorUserId: userId, actor: 'user', action: 'store.label', details: { label: name }, at },
  })
  const grantId = `grant of ${organisationId}`
  const expiresAt = new Date('2099-01-01')
  await saveRecord(database, { model: 'Grant', id: grantId, payload: { accountId: userId }, expiresAt, at })
  const token = { accountId: userId, clientId: 'client', grantId }
  await saveRecord(database, { model: 'AccessToken', id: `token of ${organisationId}`, payload: token, expiresAt, at })
  const client = { clientId: 'client', clientName: `Assistant of ${name}`, redirectHost: 'assistant.example' }
  await saveConnection(database, { grantId, organisationId, userId, ...client, connectedAt: at, generation: 0 })
  await sql`insert into pgboss.job (data) values (${JSON.stringify({ runId })}::jsonb)`.execute(database)
  return { ...organisation, runId }
}

async function erase(
  asked: OrganisationToErase,
  { agrees = true, hasIndex = false } = {},
): Promise<{ would: ErasedOrganisation; done: ErasedOrganisation | undefined }> {
  let would: ErasedOrganisation | undefined
  const done = await eraseOrganisation({ ...service.deps, hasIndex }, { userId: null }, asked, async (found) => {
    would = found
    return agrees
  })
  if (!would) throw new Error('Nothing was asked.')
  return { would, done }
}

const named = ({ identity }: Organisation, leaveSwitchedOff = false): OrganisationToErase => ({
  organisation: identity.organization_name,
  leaveSwitchedOff,
})

/** Every row that names one of them, by table. */
async function traces({ id, userId, runId, identity }: Organisation & { runId: string }): Promise<string[]> {
  return tablesContaining(service.deps, [id, userId, runId, identity.organization_name, identity.email])
}

/** The latest last. */
async function auditOfErasures() {
  const { rows } = await sql`
    select organisation_id, details from audit where action = 'organisation.erase' order by id`.execute(
    service.deps.database,
  )
  return rows
}

test('S9: an organisation is erased from every table, with its people, tokens, sessions, grants and jobs', async () => {
  const [gone, kept] = [await aFullOrganisation('Reed Lamps'), await aFullOrganisation('Stone Chairs')]
  const before = await traces(kept)
  expect((await traces(gone)).length).toBeGreaterThan(15)
  const dry = await erase(named(gone), { agrees: false })
  expect(dry.done).toBeUndefined()
  expect((await traces(gone)).length).toBeGreaterThan(15)

  const earlier = await auditOfErasures()
  const { would, done } = await erase(named(gone))
  expect(done).toEqual(would)
  expect(would).toEqual(dry.would)
  expect(would).toMatchObject({
    runIds: [gone.runId],
    people: 1,
    rows: { queue: 1, oauth_records: 2, users: 1, organisations: 1 },
  })
  expect(await traces(gone)).toEqual([])
  expect(await traces(kept)).toEqual(before)
  const audit = (await auditOfErasures()).slice(earlier.length)
  expect(audit).toEqual([{ organisation_id: null, details: { runs: 1, people: 1 } }])
})

test('members of another organisation, too, and administrators keep their accounts', async () => {
  const { database } = service.deps
  const gone = await aFullOrganisation('Two Houses')
  const other = await anOrganisation(service)
  const [both, administrator] = [await aPerson(service), await aPerson(service, { administrator: true })]
  await sql`
    insert into memberships (organisation_id, user_id, role) values (${gone.id}, ${both.userId}, 'viewer'),
      (${other.id}, ${both.userId}, 'viewer'), (${gone.id}, ${administrator.userId}, 'viewer')`.execute(database)
  expect((await erase(named(gone))).would.people).toBe(1)
  const { rows } = await sql<{ id: string }>`
    select id from users where id = any(${[gone.userId, both.userId, administrator.userId]}::uuid[])`.execute(database)
  expect(rows.map(({ id }) => id).sort()).toEqual([both.userId, administrator.userId].sort())
})

test('an organisation with a migration that is queued or in progress is not erased, and one with a paused one is', async () => {
  const organisation = await aFullOrganisation('Busy House')
  const runId = await aQueuedRun(service, organisation)
  for (const status of ['queued', 'in_progress'] as const) {
    await bringTo(service, organisation.id, runId, status)
    await expect(erase(named(organisation))).rejects.toThrow(
      new RegExp(`${runId}\\. Cancel them with "storeferry admin`),
    )
  }
  await bringTo(service, organisation.id, runId, 'paused')
  expect((await erase(named(organisation))).would.runIds).toHaveLength(2)
})

test.each([
  ['mail', null, /mails about orders that are off at store2\./],
  ['stock', null, /stock that copied orders took at store2\./],
  ['deferred-write', 'store1', /items that are waiting to be switched on at store2\./],
])('an organisation that has left a %s to put back is only erased if it may stay so', async (kind, from, message) => {
  const organisation = await aFullOrganisation(`Owing ${kind}`)
  const { database } = service.deps
  await sql`
    insert into side_effects (platform, store_hash, kind, component, subject, organisation_id, source_store_id,
      destination_store_id, run_id, desired)
    select 'BC', dst.hash, ${kind}, 'orders', '', dst.organisation_id, src.id, dst.id, ${organisation.runId}, '{}'
    from stores dst left join stores src on src.organisation_id = dst.organisation_id and src.hash = ${from}
    where dst.organisation_id = ${organisation.id} and dst.hash = 'store2'`.execute(database)
  await expect(erase(named(organisation))).rejects.toThrow(message)
  await erase(named(organisation, true))
  expect(await traces(organisation)).toEqual([])
})

type Meanwhile = (organisation: Organisation & { runId: string }) => Promise<unknown>
const byCommandLine = { userId: null }
const administrations: [string, Meanwhile][] = [
  ['its API credential is rotated', ({ id }) => rotateCredential(id, byCommandLine, service.deps)],
  [
    'its paused migration is canceled by an administrator',
    async (organisation) => {
      const id = await aQueuedRun(service, organisation)
      await bringTo(service, organisation.id, id, 'paused')
      await cancelAsAdministrator({ id, organisationId: organisation.id }, byCommandLine, service.deps)
    },
  ],
  [
    'a former member is appointed again',
    async ({ id, identity }) => {
      await sql`update memberships set active = false where organisation_id = ${id}`.execute(service.deps.database)
      const person = { organisation: id, firstName: 'Ada', lastName: 'Lovelace', email: identity.email }
      await appointMember.run({ ...person, role: 'owner' }, byCommandLine, service.deps)
    },
  ],
  [
    'a member ends a bearer token',
    async (organisation) => {
      const { rows } = await sql<{ id: string }>`
        select id from bearer_tokens where organisation_id = ${organisation.id}`.execute(service.deps.database)
      const browser = aBrowser(service, await organisation.cookie())
      expect((await browser.send('DELETE', `/v2/tokens/${rows[0]?.id}`)).statusCode).toBe(204)
    },
  ],
]

test.each(administrations)('while %s, the erasure waits, and neither of them fails', async (what, begin) => {
  const organisation = await aFullOrganisation(what)
  const { database } = service.deps
  const begun = await database.transaction().execute(async (tx) => {
    // What was begun holds its rows, and waits here for its entry in the audit log.
    await sql`lock table audit in share mode`.execute(tx)
    const meanwhile = begin(organisation)
    await untilWaiting(database, 1)
    const erasure = erase(named(organisation))
    await untilWaiting(database, 2)
    return { both: Promise.all([meanwhile, erasure]) }
  })
  await begun.both
  expect(await traces(organisation)).toEqual([])
})

test('S12: the search index forgets an erased organisation', async () => {
  const organisation = await aFullOrganisation('Indexed House')
  const { store, index } = aSearch(service)
  await index()
  const run = { organisationId: organisation.id, runId: organisation.runId }
  expect(await store.findRun(run)).toBeDefined()
  await erase(named(organisation), { hasIndex: true })
  await index()
  expect(await store.findRun(run)).toBeUndefined()
  expect(await traces(organisation)).toEqual([])
})

test('every table has rows of organisations, or its rows are known to belong to none', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(service.deps.database)
  const found = await service.deps.database.transaction().execute(listOrganisationTables)
  const owned = new Set(found.map(({ name }) => name))
  const deletedByPerson = ['users', 'sessions', 'second_steps', 'recovery_codes', 'oauth_records']
  const deletedByShop = ['quota_shares', 'used_up_windows', 'endpoint_slots', 'stock_before']
  const ofTheInstallation = ['encryption_check', 'schema_migrations', 'signing_keys', 'worker_hosts']
  // Addresses that visitors came from, kept for a short while.
  const ofVisitors = ['login_failures', 'oauth_registrations']
  expect(rows.map(({ name }) => name).filter((name) => !owned.has(name))).toEqual(
    [...deletedByPerson, ...deletedByShop, ...ofTheInstallation, ...ofVisitors, 'organisations'].sort(),
  )
})
