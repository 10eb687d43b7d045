import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressKey } from '../../src/accounts/address-key.ts'
import { disableCredential, issueCredential, rotateCredential } from '../../src/accounts/api-credentials.ts'
import { hashPassword, verifyPassword } from '../../src/accounts/passwords.ts'
import { listAudit } from '../../src/db/accounts/audit.ts'
import { createAdministrator } from '../../src/operations/administration/create-administrator.ts'
import { createOrganisation } from '../../src/operations/administration/create-organisation.ts'
import { enableStoreMigration } from '../../src/operations/administration/enable-store-migration.ts'
import { listOrganisations } from '../../src/operations/administration/list-organisations.ts'
import { issueCredential as issueOperation } from '../../src/operations/credentials/issue-credential.ts'
import { perform } from '../../src/operations/shared/perform.ts'
import { aService, type Service } from '../api/a-service.ts'
import { untilWaiting } from '../harness/lock-waits.ts'

const anonymous = { userId: null }
const password = 'correct horse battery'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

async function anEnabledOrganisation(name: string): Promise<string> {
  const owner = { firstName: 'Grace', lastName: 'Hopper', email: `${randomUUID()}@example.com`, password }
  const { output } = await perform(createOrganisation, { name, owner }, anonymous, service.deps)
  await perform(enableStoreMigration, { organisation: name }, anonymous, service.deps)
  return output.organisationId
}

test('a credential is issued at version 1, and every rotate and disable adds one', async () => {
  const id = await anEnabledOrganisation('Versions')
  const issued = await issueCredential(id, anonymous, service.deps)
  expect(issued).toEqual({
    clientId: expect.stringMatching(/^sfc_[\w-]{20}$/),
    clientSecret: expect.stringMatching(/^[\w-]{43}$/),
    version: 1,
  })
  expect(await rotateCredential(id, anonymous, service.deps)).toMatchObject({ clientId: issued.clientId, version: 2 })
  expect(await disableCredential(id, anonymous, service.deps)).toEqual({ clientId: issued.clientId, version: 3 })
  const again = await issueCredential(id, anonymous, service.deps)
  expect(again).toMatchObject({ clientId: issued.clientId, version: 3 })
  expect(again.clientSecret).not.toBe(issued.clientSecret)
  const actions = (await listAudit(service.deps.database, id)).map((entry) => entry.action)
  const changes = ['credential.issue', 'credential.rotate', 'credential.disable', 'credential.issue']
  expect(actions).toEqual(['organisation.create', 'store-migration.enable', ...changes])
})

test('issuing an enabled credential, or rotating or disabling one that is not enabled, is an invalid transition', async () => {
  const id = await anEnabledOrganisation('Transitions')
  const conflict = { code: 'invalid_transition' }
  await expect(rotateCredential(id, anonymous, service.deps)).rejects.toMatchObject(conflict)
  await expect(disableCredential(id, anonymous, service.deps)).rejects.toMatchObject(conflict)
  await issueCredential(id, anonymous, service.deps)
  await expect(issueCredential(id, anonymous, service.deps)).rejects.toMatchObject(conflict)
  await disableCredential(id, anonymous, service.deps)
  await expect(disableCredential(id, anonymous, service.deps)).rejects.toMatchObject(conflict)
  await expect(rotateCredential(id, anonymous, service.deps)).rejects.toMatchObject(conflict)
})

test('two rotations at the same moment both count', async () => {
  const { database } = service.deps
  const id = await anEnabledOrganisation('Races')
  await issueCredential(id, anonymous, service.deps)
  const holding = await database.startTransaction().execute()
  await sql`select from api_credentials where organisation_id = ${id} for update`.execute(holding)
  const rotations = [1, 2].map(() => rotateCredential(id, anonymous, service.deps))
  await untilWaiting(database, 2).finally(() => holding.rollback().execute())
  const rotated = await Promise.all(rotations)
  expect(rotated.map(({ version }) => version).sort()).toEqual([2, 3])
})

test('S5: only the SHA-256 and the last four characters of a secret are stored', async () => {
  const id = await anEnabledOrganisation('Hashes')
  const { clientSecret } = await issueCredential(id, anonymous, service.deps)
  const { rows } = await sql<{ secretHash: Buffer; lastFour: string }>`
    select secret_hash as "secretHash", last_four as "lastFour" from api_credentials where organisation_id = ${id}`.execute(
    service.deps.database,
  )
  expect(rows[0]).toEqual({
    secretHash: createHash('sha256').update(clientSecret).digest(),
    lastFour: clientSecret.slice(-4),
  })
  const audit = JSON.stringify(await listAudit(service.deps.database, id))
  expect(audit).not.toContain(clientSecret)
})

test('S5: names of organisations are unique after trimming and case folding, and emails regardless of case', async () => {
  await anEnabledOrganisation('Straße')
  const owner = { firstName: 'Alan', lastName: 'Turing', email: 'alan@example.com', password }
  const sameName = perform(createOrganisation, { name: ' STRASSE', owner }, anonymous, service.deps)
  await expect(sameName).rejects.toMatchObject({ code: 'validation_failed', errors: { name: [expect.any(String)] } })
  await perform(createOrganisation, { name: 'Other', owner }, anonymous, service.deps)
  const shouting = { ...owner, email: 'ALAN@example.com' }
  const sameEmail = perform(createOrganisation, { name: 'Third', owner: shouting }, anonymous, service.deps)
  await expect(sameEmail).rejects.toMatchObject({ errors: { 'owner.email': [expect.any(String)] } })
  const { items } = (await perform(listOrganisations, {}, anonymous, service.deps)).output
  expect(items.map((item) => item.name)).not.toContain('Third')
})

test.each([
  [11, false],
  [12, true],
  [128, true],
  [129, false],
])('a password of %i characters: %s', async (length, accepted) => {
  const person = { firstName: 'Barbara', lastName: 'Liskov', email: `b${length}@example.com` }
  const password = 'tjxq copper fjord lantern quorum '.repeat(4).slice(0, length)
  const attempt = perform(createAdministrator, { ...person, password }, anonymous, service.deps)
  if (accepted) await expect(attempt).resolves.toMatchObject({ output: { email: person.email } })
  else await expect(attempt).rejects.toMatchObject({ errors: { password: [expect.any(String)] } })
})

test('administrators see organisations with their credential and never its secret', async () => {
  const name = 'Overview'
  await anEnabledOrganisation(name)
  const { clientId, clientSecret } = (
    await perform(issueOperation, { organisation: 'OVERVIEW' }, anonymous, service.deps)
  ).output
  const { items } = (await perform(listOrganisations, {}, anonymous, service.deps)).output
  expect(items.find((item) => item.name === name)).toMatchObject({
    storeMigrationEnabled: true,
    stores: 0,
    credential: { clientId, lastFour: clientSecret.slice(-4), version: 1, state: 'enabled' },
  })
  expect(JSON.stringify(items)).not.toContain(clientSecret)
})

test('issuing a credential for an organisation that does not exist is refused as not found', async () => {
  const attempt = perform(issueOperation, { organisation: 'Nowhere' }, anonymous, service.deps)
  await expect(attempt).rejects.toMatchObject({ code: 'not_found' })
})

test('S5: portal passwords are argon2id, and another password does not match', async () => {
  const passwordHash = await hashPassword(password)
  expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword(passwordHash, password)).toBe(true)
  expect(await verifyPassword(passwordHash, `${password}s`)).toBe(false)
})

test('S5: of 35 concurrent passwords 34 are hashed, and one has to be retried after five seconds', async () => {
  const attempt = await Promise.allSettled(Array.from({ length: 35 }, () => hashPassword(password)))
  const refused = attempt.filter((one) => one.status === 'rejected')
  expect(refused.map((one) => one.reason)).toMatchObject([{ code: 'unavailable', retryAfterSeconds: 5 }])
  expect(await hashPassword(password)).toMatch(/^\$argon2id/)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0DB8:0000:0000:ffff::', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('S5: failures of %s count under %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})
