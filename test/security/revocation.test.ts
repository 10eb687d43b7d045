import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { confirmAdministrator } from '../../src/accounts/administrators.ts'
import { disableCredential, rotateCredential } from '../../src/accounts/api-credentials.ts'
import type { Caller } from '../../src/accounts/caller.ts'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { confirmPerson } from '../../src/accounts/people.ts'
import { totpCode, totpStepAt } from '../../src/accounts/totp.ts'
import { routes } from '../../src/api/routes.ts'
import { isReading, type OperationName, operationPermissions } from '../../src/contract/accounts/permissions.ts'
import { endAccess, endMembership, saveMembership } from '../../src/db/accounts/members.ts'
import { disableStoreMigration } from '../../src/db/accounts/organisations.ts'
import { lockPassword, savePassword } from '../../src/db/accounts/users.ts'
import type { InTransaction } from '../../src/db/core/database.ts'
import { removeStoreMigration } from '../../src/operations/administration/remove-store-migration.ts'
import { confirmCaller } from '../../src/operations/shared/confirm-caller.ts'
import {
  aBrowser,
  anOrganisation,
  aPerson,
  aService,
  aSession,
  type Browser,
  type Organisation,
  password,
  type Service,
  submit,
} from '../api/a-service.ts'
import { fromBase32 } from '../harness/base32.ts'
import { untilWaiting } from '../harness/lock-waits.ts'
import { Browser as AssistantBrowser, anAssistant, fieldsOf, reachConsent } from '../oauth/an-assistant.ts'

const anonymous = { userId: null }

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

async function callerOf(organisation: Organisation): Promise<Caller> {
  return service.deps.bearerTokens.verify(await organisation.token())
}

async function callerInBrowser(owner: Organisation): Promise<Caller> {
  const { sessionHash } = (await service.deps.sessions.find(await owner.cookie())) ?? {}
  const member = { userId: owner.userId, organisationId: owner.id, role: 'owner' as const }
  return { ...member, sessionHash: sessionHash!, provedAt: service.clock.now() }
}

function removedAndAdded({ id, userId }: Organisation): Promise<void> {
  return service.deps.database.transaction().execute(async (transaction) => {
    await endMembership(transaction, id, userId)
    await saveMembership(transaction, { organisationId: id, userId, role: 'owner' })
  })
}

const deactivate = ({ userId }: { userId: string }) =>
  sql`update users set active = false where id = ${userId}`.execute(service.deps.database)
const disable = (organisationId: string) =>
  sql`update organisations set store_migration_enabled = false where id = ${organisationId}`.execute(
    service.deps.database,
  )

test.each<[string, (owner: Organisation) => Promise<unknown>]>([
  ['removing the member and adding them again', removedAndAdded],
  ['deactivating the person', deactivate],
  ['the organisation’s access to Store Migration ends', ({ id }) => disable(id)],
  [
    'twelve hours without a request',
    ({ userId }) =>
      sql`update sessions set seen_at = seen_at - interval '12 hours' where user_id = ${userId}`.execute(
        service.deps.database,
      ),
  ],
  [
    'two weeks',
    ({ userId }) =>
      sql`update sessions set started_at = started_at - interval '14 days' where user_id = ${userId}`.execute(
        service.deps.database,
      ),
  ],
])('S6, S31: after %s a session from before writes nothing', async (_, revoke) => {
  const owner = await anOrganisation(service)
  const caller = await callerInBrowser(owner)
  const write = () =>
    service.deps.database.transaction().execute((transaction) => confirmCaller(transaction, caller, 'pause'))
  await expect(write()).resolves.toBeUndefined()
  await revoke(owner)
  await expect(write()).rejects.toMatchObject({ code: 'unauthorized' })
})

test.each<[string, (owner: Organisation) => Promise<unknown>]>([
  ['a rotation', ({ id }) => rotateCredential(id, anonymous, service.deps)],
  ['disabling', ({ id }) => disableCredential(id, anonymous, service.deps)],
  [
    'making the owner a viewer',
    ({ userId }) =>
      sql`update memberships set role = 'viewer' where user_id = ${userId}`.execute(service.deps.database),
  ],
  [
    'ending the token',
    ({ userId }) => sql`delete from bearer_tokens where user_id = ${userId}`.execute(service.deps.database),
  ],
  [
    'the token expires',
    ({ userId }) =>
      sql`update bearer_tokens set expires_at = now() where user_id = ${userId}`.execute(service.deps.database),
  ],
  [
    'deactivating the member',
    ({ userId }) => sql`update memberships set active = false where user_id = ${userId}`.execute(service.deps.database),
  ],
  [
    'a new password',
    ({ userId: id }) =>
      service.deps.database.transaction().execute((transaction) =>
        savePassword(transaction, {
          id,
          passwordHash: 'another',
          at: new Date(service.clock.now().getTime() + 1_000),
        }),
      ),
  ],
  ['removing the member and adding them again', removedAndAdded],
  ['deactivating the person', deactivate],
  ['the organisation’s access to Store Migration ends', ({ id }) => disable(id)],
])('S6: after %s a write of a request that was verified before is refused', async (_, revoke) => {
  const owner = await anOrganisation(service)
  const caller = await callerOf(owner)
  const write = () =>
    service.deps.database.transaction().execute((transaction) => confirmCaller(transaction, caller, 'pause'))
  await expect(write()).resolves.toBeUndefined()
  await revoke(owner)
  await expect(write()).rejects.toMatchObject({ code: 'unauthorized' })
})

type InTransactionOf = (tx: InTransaction, owner: Organisation) => Promise<unknown>
const removals: [string, InTransactionOf, InTransactionOf][] = [
  [
    'the organisation is removed from Store Migration',
    (tx, { id }) => disableStoreMigration(tx, id),
    (tx, { id }) => endAccess(tx, id, null),
  ],
  [
    'the member is removed',
    (tx, { userId }) => lockPassword(tx, userId),
    (tx, { id, userId }) => endMembership(tx, id, userId),
  ],
]
const callers: [string, (owner: Organisation) => Promise<Caller>][] = [
  ['a token', callerOf],
  ['a session', callerInBrowser],
]

test.each(
  removals.flatMap(([what, begin, end]) => callers.map(([by, callerFor]) => ({ what, begin, end, by, callerFor }))),
)('S6: while $what, a write by $by waits and is refused, and neither of them fails', async ({
  begin,
  end,
  callerFor,
}) => {
  const owner = await anOrganisation(service)
  const caller = await callerFor(owner)
  const { database } = service.deps
  const begun = await database.transaction().execute(async (tx) => {
    await begin(tx, owner)
    const write = database.transaction().execute((other) => confirmCaller(other, caller, 'pause'))
    write.catch(() => undefined)
    await untilWaiting(database, 1)
    await end(tx, owner)
    return { write }
  })
  await expect(begun.write).rejects.toMatchObject({ code: 'unauthorized' })
})

test('S6: a member is removed at the moment of a write of theirs, and neither of them fails', async () => {
  const owner = await anOrganisation(service)
  const caller = await callerInBrowser(owner)
  const { database } = service.deps
  const begun = await database.transaction().execute(async (tx) => {
    await sql`select from users where id = ${owner.userId} for key share`.execute(tx)
    const removal = database.transaction().execute((other) => endMembership(other, owner.id, owner.userId))
    await untilWaiting(database, 1)
    const write = database.transaction().execute((other) => confirmCaller(other, caller, 'pause'))
    // It may finish first, but must not hold anything that the removal waits for, while it waits for the removal.
    await Promise.race([write, untilWaiting(database, 2)])
    return { both: Promise.all([removal, write]) }
  })
  await expect(begun.both).resolves.toBeDefined()
})

test('S6: an administrator who is a member removes the organisation while its credential is rotated, and neither of them fails', async () => {
  const { id } = await anOrganisation(service)
  const { userId } = await aPerson(service, { administrator: true })
  const { database, sessions } = service.deps
  await database.transaction().execute((tx) => saveMembership(tx, { organisationId: id, userId, role: 'viewer' }))
  const { sessionHash, provedAt } = (await sessions.find(await aSession(service, userId)))!
  const administrator = { userId, sessionHash, provedAt }
  const asked = await database.transaction().execute(async (tx) => {
    await sql`select from api_credentials where organisation_id = ${id} for update`.execute(tx)
    const removed = removeStoreMigration.run({ organisation: id }, administrator, service.deps)
    await untilWaiting(database, 1)
    const rotated = rotateCredential(id, administrator, service.deps)
    await untilWaiting(database, 2)
    return { both: Promise.allSettled([removed, rotated]) }
  })
  expect(await asked.both).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'invalid_transition' } },
  ])
})

test('S6: a rotation waits for a write in progress', async () => {
  const owner = await anOrganisation(service)
  const caller = await callerOf(owner)
  const order: string[] = []
  let rotated: Promise<unknown> = Promise.resolve()
  await service.deps.database.transaction().execute(async (transaction) => {
    await confirmCaller(transaction, caller, 'pause')
    rotated = rotateCredential(owner.id, anonymous, service.deps).then(() => order.push('rotated'))
    await waitUntilRotationWaits(service)
    order.push('written')
  })
  await rotated
  expect(order).toEqual(['written', 'rotated'])
})

async function waitUntilRotationWaits({ deps }: Service): Promise<void> {
  for (let looks = 0; looks < 5_000; looks += 1) {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      deps.database,
    )
    if (rows.length > 0) return
  }
  throw new Error('No statement waits for the lock.')
}

test.each<[string, (person: { userId: string }) => Promise<unknown>]>([
  ['deactivating the person', deactivate],
  ['ending the session', ({ userId }) => endSessionsOf(userId)],
  [
    'ending their office',
    ({ userId }) => sql`update users set is_administrator = false where id = ${userId}`.execute(service.deps.database),
  ],
])('S6: after %s a write of an administrator, or of a person to their own account, is refused', async (what, revoke) => {
  const { userId } = await aPerson(service, { administrator: true })
  const by = await letIn(userId)
  const inTransaction = service.deps.database.transaction()
  const ofAdministrator = () => inTransaction.execute((tx) => confirmAdministrator(tx, { ...by, userId }))
  const ofPerson = () => inTransaction.execute((tx) => confirmPerson(tx, by))
  for (const write of [ofAdministrator, ofPerson]) await expect(write()).resolves.toBeUndefined()
  await revoke({ userId })
  await aSession(service, userId)
  await expect(ofAdministrator()).rejects.toMatchObject({ code: 'unauthorized' })
  if (what !== 'ending their office') await expect(ofPerson()).rejects.toMatchObject({ code: 'unauthorized' })
})

const endSessionsOf = (userId: string) =>
  sql`delete from sessions where user_id = ${userId}`.execute(service.deps.database)

async function letIn(userId: string, cookie?: string) {
  const by = await service.deps.sessions.find(cookie ?? (await aSession(service, userId)))
  if (!by) throw new Error('A session that has just begun is found.')
  return by
}

/** Its requests were let in before its session ended; the person is still signed in elsewhere. */
async function aLateBrowser(userId: string): Promise<Browser> {
  const cookie = await aSession(service, userId)
  await endAfterLettingIn(userId, cookie)
  await aSession(service, userId)
  return aBrowser(service, cookie)
}

async function endAfterLettingIn(userId: string, cookie: string): Promise<void> {
  const { sessions } = service.deps
  const by = await letIn(userId, cookie)
  const isOf = (sent: string | undefined) => sent?.split('; ').includes(cookie)
  service.deps.sessions = { ...sessions, find: async (sent) => (isOf(sent) ? by : sessions.find(sent)) }
  onTestFinished(() => {
    service.deps.sessions = sessions
  })
  await endSessionsOf(userId)
}

/** They end access, take the password itself as proof, or ask the store first. */
const withoutConfirmation: readonly OperationName[] = [
  ...(['sign-out', 'sign-out-everywhere', 'change-password'] as const),
  ...(['add-store', 'connect-store'] as const),
]
const newPerson = { firstName: 'Mary', lastName: 'Shelley', email: 'mary.of.revocation@shop.example' }
const [oneIssue, oneDifference] = [{ severity: 'failure' }, { kind: 'missing' }]
/** Valid bodies; the others have none. */
const bodies: Partial<Record<OperationName, object>> = {
  'change-name': { firstName: 'Mary', lastName: 'Shelley' },
  reauthenticate: { currentPassword: password },
  'begin-second-step': { currentPassword: password },
  'add-member': { ...newPerson, role: 'viewer' },
  'change-member': { role: 'viewer' },
  'create-webhook': { url: 'https://hooks.example/all' },
  'change-webhook': { description: 'x' },
  'rotate-webhook-secret': {},
  'change-mail-choice': { events: [] },
  'label-store': { label: 'x' },
  'create-migration': { source: 'store1', destination: 'store2' },
  'rename-migration': { label: 'x' },
  'sign-off': { comparison: crypto.randomUUID() },
  'dismiss-issues': oneIssue,
  'reopen-issues': oneIssue,
  'retry-issues': oneIssue,
  'dismiss-differences': oneDifference,
  'reopen-differences': oneDifference,
  'create-administrator': newPerson,
  'create-person-reset-link': { email: newPerson.email },
  'remove-second-step': { email: newPerson.email },
  'create-organisation': { name: 'Of revocation', owner: newPerson },
  'appoint-member': { ...newPerson, role: 'viewer' },
}

test('S6: no operation changes anything for a person whose session ends after the request was let in', async () => {
  const { id: organisation, userId, cookie } = await anOrganisation(service)
  const { database } = service.deps
  await sql`
    update users set is_administrator = true, password_hash = ${await hashPassword(password)}
    where id = ${userId}`.execute(database)
  const before = aBrowser(service, await cookie())
  const { requestId } = (await before.send('POST', '/v2/migrations', bodies['create-migration'])).json()
  const [first, recovery] = [await aSecret(before), await recoveryCodesOf((await aPerson(service)).userId)]
  const late = await aLateBrowser(userId)
  const withStep = await aLateBrowser(recovery.userId)
  const codes: Partial<Record<OperationName, string>> = {
    'confirm-second-step': codeOf(first),
    'end-second-step': recovery.codes[0],
    'renew-recovery-codes': recovery.codes[1],
  }
  const changing = routes.filter(({ method, operation: { name } }) => {
    const isPublic = operationPermissions[name] === 'public'
    return method !== 'GET' && !isPublic && !isReading(name) && !withoutConfirmation.includes(name)
  })
  expect(changing.length).toBeGreaterThan(45)
  const named: Record<string, string> = { ':hash': 'store1', ':organisation': organisation }
  for (const { method, path, operation } of changing) {
    const { name } = operation
    const url = path.replaceAll(/:\w+/g, (part) => named[part] ?? requestId)
    const body = codes[name] ? { code: codes[name] } : bodies[name]
    const browser = name === 'end-second-step' || name === 'renew-recovery-codes' ? withStep : late
    const answer = await browser.send(method as 'POST', url, body)
    const refused = [name, 401, expect.stringContaining('ended during the request')]
    expect([name, answer.statusCode, answer.json().message]).toEqual(refused)
  }
})

test('S6: Allow connects no assistant for a person whose session ends after it was let in', async () => {
  const { userId } = await anOrganisation(service)
  const browser = new AssistantBrowser(service)
  const cookie = await browser.signIn(userId)
  const { url, page } = await reachConsent(browser, await anAssistant(service))
  await endAfterLettingIn(userId, cookie)
  const allowed = await browser.post(url, { ...fieldsOf(page), decision: 'allow' })
  expect([allowed.statusCode, allowed.body]).toEqual([401, expect.stringContaining('ended during the request')])
  const assistants = await aBrowser(service, await aSession(service, userId)).get('/v2/assistants')
  expect(assistants.json().items).toEqual([])
})

const stepPath = '/v2/session/second-step'
const codeOf = (secret: string) => totpCode(fromBase32(secret), totpStepAt(service.clock.now()))
const aSecret = async (browser: Browser): Promise<string> =>
  (await browser.send('POST', stepPath, { currentPassword: password })).json().secret

async function recoveryCodesOf(userId: string): Promise<{ userId: string; codes: string[] }> {
  const browser = aBrowser(service, await aSession(service, userId))
  const code = codeOf(await aSecret(browser))
  return { userId, codes: (await browser.send('POST', `${stepPath}/confirm`, { code })).json().recoveryCodes }
}

/** What is done while another password, or an account, is about to be committed. */
async function meanwhile<Answer>(write: (tx: InTransaction) => Promise<unknown>, ask: () => Promise<Answer>) {
  const writing = await service.deps.database.startTransaction().execute()
  await write(writing)
  const asked = ask()
  await untilWaiting(service.deps.database, 1).finally(() => writing.commit().execute())
  return asked
}

const another = 'another password, long enough'

test.each<[string, (person: { userId: string; email: string }) => Promise<() => Promise<{ statusCode: number }>>]>([
  [
    'signs nobody in',
    async ({ email }) =>
      () =>
        submit(service, '/app/sign-in', { email, password }),
  ],
  [
    'is not changed to a third one',
    async ({ userId }) => {
      const browser = aBrowser(service, await aSession(service, userId))
      const given = { currentPassword: password, newPassword: 'a third password, long enough' }
      return () => browser.send('POST', '/v2/session/password', given)
    },
  ],
  [
    'accepts no invitation',
    async ({ email }) => {
      const link = await anInvitation(email)
      return () => submit(service, '/app/invitation', { token: link, password })
    },
  ],
])('S14: a password that ends while it is compared %s', async (_, prepare) => {
  const person = await aPerson(service)
  const ask = await prepare(person)
  const passwordHash = await hashPassword(another)
  const write = (tx: InTransaction) => savePassword(tx, { id: person.userId, passwordHash, at: service.clock.now() })
  expect([401, 422]).toContain((await meanwhile(write, ask)).statusCode)
  expect((await submit(service, '/app/sign-in', { email: person.email, password: another })).statusCode).toBe(303)
})

test('S33: an account that is made while an invitation is accepted keeps its own password', async () => {
  const email = `mary.${crypto.randomUUID()}@shop.example`
  const token = await anInvitation(email)
  const passwordHash = await hashPassword(another)
  const write = (tx: InTransaction) =>
    sql`
      insert into users (id, first_name, last_name, email, email_key, password_hash)
      values (${crypto.randomUUID()}, 'Mary', 'Shelley', ${email}, ${email}, ${passwordHash})`.execute(tx)
  const accepted = await meanwhile(write, () => submit(service, '/app/invitation', { token, password }))
  expect(accepted.statusCode).toBe(401)
  expect((await submit(service, '/app/sign-in', { email, password: another })).statusCode).toBe(303)
})

/** @returns the token of its link */
async function anInvitation(email: string): Promise<string> {
  const owner = aBrowser(service, await (await anOrganisation(service)).cookie())
  const invited = await owner.send('POST', '/v2/members', { ...newPerson, email, role: 'viewer' })
  return invited.json().invitation.link.split('#')[1]
}
