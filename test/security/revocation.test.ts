import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { disableCredential, rotateCredential } from '../../src/accounts/api-credentials.ts'
import type { Caller } from '../../src/accounts/caller.ts'
import { endMembership, saveMembership } from '../../src/db/accounts/members.ts'
import { savePassword } from '../../src/db/accounts/users.ts'
import { confirmCaller } from '../../src/operations/shared/confirm-caller.ts'
import { anOrganisation, aService, type Organisation, type Service } from '../api/a-service.ts'

const anonymous = { userId: null }

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

async function callerOf(organisation: Organisation): Promise<Caller> {
  return service.deps.bearerTokens.verify(await organisation.token())
}

function removedAndAdded({ id, userId }: Organisation): Promise<void> {
  return service.deps.database.transaction().execute(async (transaction) => {
    await endMembership(transaction, id, userId)
    await saveMembership(transaction, { organisationId: id, userId, role: 'owner' })
  })
}

test('S31: a session from before a removal writes nothing after the person was added again', async () => {
  const owner = await anOrganisation(service)
  const { sessionHash } = (await service.deps.sessions.find(await owner.cookie())) ?? {}
  const provedAt = service.clock.now()
  const member = { userId: owner.userId, organisationId: owner.id, role: 'owner' as const }
  const caller = { ...member, sessionHash: sessionHash!, provedAt }
  const write = () =>
    service.deps.database.transaction().execute((transaction) => confirmCaller(transaction, caller, 'pause'))
  await expect(write()).resolves.toBeUndefined()
  await removedAndAdded(owner)
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
])('S6: after %s a write of a request that was verified before is refused', async (_, revoke) => {
  const owner = await anOrganisation(service)
  const caller = await callerOf(owner)
  const write = () =>
    service.deps.database.transaction().execute((transaction) => confirmCaller(transaction, caller, 'pause'))
  await expect(write()).resolves.toBeUndefined()
  await revoke(owner)
  await expect(write()).rejects.toMatchObject({ code: 'unauthorized' })
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
