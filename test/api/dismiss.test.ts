import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Difference } from '../../src/contract/differences.ts'
import type { Issue } from '../../src/contract/issues.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import type { MigrationStatus } from '../../src/contract/status.ts'
import { anOrganisation, aService, type Organisation, type Service } from './a-service.ts'
import { addDifference, addIssue, bringTo } from './migration-rows.ts'

let service: Service
let organisation: Organisation
let owner: string
beforeAll(async () => {
  service = await aService()
  organisation = await anOrganisation(service)
  owner = await organisation.token()
})
afterAll(() => service.close())
beforeEach(async () => {
  await sql`update runs set status = 'cancelled' where status = 'queued'`.execute(service.deps.database)
})

function post(path: string, body: object = {}, token = owner) {
  return service.inject({
    method: 'POST',
    url: path,
    payload: body,
    headers: { authorization: `Bearer ${token}` },
  })
}

/** A run with two open failures and a warning, brought to a status. */
async function aRun(status: MigrationStatus, mode = 'full'): Promise<string> {
  const pair = { source: 'store1', destination: 'store2' }
  const id = (await post('/v2/migrations', { ...pair, mode })).json().requestId
  const run = { organisationId: organisation.id, id }
  await addIssue(service.deps.database, run, { sourceId: '1', name: 'Acme' })
  await addIssue(service.deps.database, run, { sourceId: '2', name: 'Bolt', code: 'unexpected' })
  await addIssue(service.deps.database, run, { sourceId: '3', severity: 'warning', code: 'source_gone' })
  await bringTo(service, organisation.id, id, status)
  return id
}

const issuesOf = async (id: string): Promise<Issue[]> =>
  (await service.get(`/v2/migrations/${id}/issues`, owner)).json().items
const detail = async (id: string) => (await service.get(`/v2/migrations/${id}`, owner)).json()
const auditOf = async (id: string, wanted = 'migration.dismiss') => {
  const { rows } = await sql<{ action: string; details: { issues?: number } }>`
    select action, details from audit where details ->> 'runId' = ${id} and actor_user_id = ${organisation.userId}
    order by id`.execute(service.deps.database)
  return rows.filter(({ action }) => action === wanted).map(({ details }) => details.issues)
}

describe('one issue', () => {
  test('dismissing the last open failure completes a partly completed migration, and its snapshot says so', async () => {
    const id = await aRun('partial_completed')
    const [first, second] = await issuesOf(id)
    const answer = await post(`/v2/migrations/${id}/issues/${first?.id}/dismiss`)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json()).toMatchObject({ id: first?.id, state: 'dismissed', code: 'platform_refused' })
    expect(await detail(id)).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
    await post(`/v2/migrations/${id}/issues/${second?.id}/dismiss`)
    expect(await detail(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect((await service.get(`/v2/migrations/${id}`, owner)).headers['x-read-source']).toBe('postgres')
    expect((await issuesOf(id)).map(({ state }) => state)).toEqual(['dismissed', 'dismissed', 'open'])
    expect(await auditOf(id)).toEqual([1, 1])
  })

  test('dismissing again has no effect and is audited once', async () => {
    const id = await aRun('failed')
    const [first] = await issuesOf(id)
    for (const _time of ['first', 'second'])
      expect((await post(`/v2/migrations/${id}/issues/${first?.id}/dismiss`)).json().state).toBe('dismissed')
    expect(await auditOf(id)).toEqual([1])
    expect(await detail(id)).toMatchObject({ status: 'failed', failuresOpen: 1 })
  })

  test('a healed issue cannot be dismissed', async () => {
    const id = await aRun('partial_completed')
    const [first] = await issuesOf(id)
    await sql`update issues set state = 'healed' where id = ${first?.id}`.execute(service.deps.database)
    const answer = await post(`/v2/migrations/${id}/issues/${first?.id}/dismiss`)
    expect(answer.statusCode).toBe(409)
    expect(answer.json().error).toBe('invalid_transition')
  })

  test('an issue of another migration, an unknown id and an invalid id give the same 404', async () => {
    const [id, other] = [await aRun('partial_completed'), await aRun('partial_completed')]
    const [theirs] = await issuesOf(other)
    for (const issueId of [theirs?.id, randomUUID(), 'x']) {
      const answer = await post(`/v2/migrations/${id}/issues/${issueId}/dismiss`)
      expect(answer.statusCode).toBe(404)
      expect(answer.json().message).toBe(`This migration has no issue ${issueId}; list its issues for their ids.`)
    }
  })

  test('S2: another organisation gets a 404 and dismisses nothing', async () => {
    const stranger = await (await anOrganisation(service)).token()
    const id = await aRun('partial_completed')
    const [first] = await issuesOf(id)
    const one = await post(`/v2/migrations/${id}/issues/${first?.id}/dismiss`, {}, stranger)
    const many = await post(`/v2/migrations/${id}/issues/dismiss`, { severity: 'failure' }, stranger)
    expect([one.statusCode, many.statusCode]).toEqual([404, 404])
    expect((await issuesOf(id)).map(({ state }) => state)).toEqual(['open', 'open', 'open'])
  })

  test('S18: an operator may dismiss issues, a viewer may not', async () => {
    const id = await aRun('partial_completed')
    const [first] = await issuesOf(id)
    const path = `/v2/migrations/${id}/issues/${first?.id}/dismiss`
    expect((await post(path, {}, await organisation.token('viewer'))).statusCode).toBe(403)
    expect((await post(path, {}, await organisation.token('operator'))).statusCode).toBe(200)
  })
})

describe('many issues', () => {
  test.each([
    ['a code', { code: 'unexpected' }, 1],
    ['a severity', { severity: 'failure' }, 2],
    ['a text', { text: 'acme' }, 1],
    ['a phase', { phase: 'brands' }, 3],
    ['a component without any', { component: 'products' }, 0],
  ])('%s selects them', async (_what, filter, count) => {
    const id = await aRun('partial_completed')
    const answer = await post(`/v2/migrations/${id}/issues/dismiss`, filter)
    expect(answer.json(), answer.body).toEqual({ dismissed: count })
    expect((await issuesOf(id)).filter(({ state }) => state === 'dismissed')).toHaveLength(count)
    expect(await auditOf(id)).toEqual(count === 0 ? [] : [count])
  })

  test('ids select them, and with a filter only those that also match', async () => {
    const id = await aRun('partial_completed')
    const ids = (await issuesOf(id)).map((one) => one.id)
    const both = await post(`/v2/migrations/${id}/issues/dismiss`, { ids, severity: 'warning' })
    expect(both.json()).toEqual({ dismissed: 1 })
    expect((await post(`/v2/migrations/${id}/issues/dismiss`, { ids })).json()).toEqual({ dismissed: 2 })
    expect(await detail(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  })

  test.each([
    'dismiss',
    'reopen',
    'retry',
  ])('an id that is none of its issues is named, and %s changes nothing', async (verb) => {
    const id = await aRun('partial_completed')
    const [first] = await issuesOf(id)
    const foreign = (await issuesOf(await aRun('partial_completed')))[0]?.id
    const answer = await post(`/v2/migrations/${id}/issues/${verb}`, { ids: [first?.id, foreign, 'x'] })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toEqual({ ids: [`This migration has no issue ${foreign}, x.`] })
    expect((await issuesOf(id)).every(({ state }) => state === 'open')).toBe(true)
    expect((await detail(id)).status).toBe('partial_completed')
  })

  test('a request without ids and filters is refused', async () => {
    const id = await aRun('partial_completed')
    const answer = await post(`/v2/migrations/${id}/issues/dismiss`)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toEqual({ ids: [expect.stringContaining('at least one filter')] })
  })

  test.each([
    ['no ids', { ids: [] }, 'ids'],
    ['a state, which is always open', { state: 'open' }, 'state'],
    ['an unknown code', { code: 'socks' }, 'code'],
  ])('%s is refused by path', async (_what, body, path) => {
    const answer = await post(`/v2/migrations/${await aRun('partial_completed')}/issues/dismiss`, body)
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors)).toEqual([path])
  })

  test(`S25: a request may name ${limits.dismissedIds} ids, but not one more`, async () => {
    const id = await aRun('partial_completed')
    const ids = Array.from({ length: limits.dismissedIds }, () => randomUUID())
    const most = await post(`/v2/migrations/${id}/issues/dismiss`, { ids })
    expect(most.json().errors).toEqual({ ids: [expect.stringContaining('has no issue')] })
    const more = await post(`/v2/migrations/${id}/issues/dismiss`, { ids: [...ids, randomUUID()] })
    expect(more.json().errors).toEqual({ ids: [`Must have at most ${limits.dismissedIds} entries.`] })
  })

  test('a running migration keeps its status; one with open differences is not completed', async () => {
    const working = await aRun('in_progress')
    expect((await post(`/v2/migrations/${working}/issues/dismiss`, { severity: 'failure' })).json().dismissed).toBe(2)
    expect(await detail(working)).toMatchObject({ status: 'in_progress', failuresOpen: 0 })
    const verified = await aRun('partial_completed', 'verify')
    const run = { organisationId: organisation.id, id: verified }
    await addDifference(service.deps.database, run, { kind: 'missing', sourceId: '7' })
    await post(`/v2/migrations/${verified}/issues/dismiss`, { severity: 'failure' })
    expect(await detail(verified)).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  })
})

describe('reopening', () => {
  const reopen = (id: string, body: object, token = owner) => post(`/v2/migrations/${id}/issues/reopen`, body, token)
  const statesOf = async (id: string) => (await issuesOf(id)).map(({ state }) => state)

  test('opens a dismissed issue again without its reason, and the migration says so', async () => {
    const id = await aRun('partial_completed')
    const [first] = await issuesOf(id)
    await post(`/v2/migrations/${id}/issues/${first?.id}/dismiss`, { reason: 'By mistake.' })
    expect((await detail(id)).failuresOpen).toBe(1)
    const answer = await reopen(id, { ids: [first?.id] })
    expect(answer.json(), answer.body).toEqual({ reopened: 1 })
    expect((await issuesOf(id))[0]).toMatchObject({ id: first?.id, state: 'open', reason: null })
    expect(await detail(id)).toMatchObject({ status: 'partial_completed', failuresOpen: 2 })
    expect((await reopen(id, { ids: [first?.id] })).json()).toEqual({ reopened: 0 })
    expect([await auditOf(id), await auditOf(id, 'migration.reopen')]).toEqual([[1], [1]])
  })

  test('takes those that match the filters, never a healed one, and refuses to take all by accident', async () => {
    const id = await aRun('failed')
    await post(`/v2/migrations/${id}/issues/dismiss`, { phase: 'brands' })
    await sql`update issues set state = 'healed' where run_id = ${id} and code = 'unexpected'`.execute(
      service.deps.database,
    )
    expect((await reopen(id, { severity: 'failure' })).json()).toEqual({ reopened: 1 })
    expect(await statesOf(id)).toEqual(['open', 'healed', 'dismissed'])
    const nothing = await reopen(id, {})
    expect([nothing.statusCode, Object.keys(nothing.json().errors)]).toEqual([422, ['ids']])
  })

  test('leaves the failures of a completed migration dismissed, as it is final, and not its warnings', async () => {
    const id = await aRun('partial_completed')
    await post(`/v2/migrations/${id}/issues/dismiss`, { phase: 'brands' })
    expect((await detail(id)).status).toBe('completed')
    const answer = await reopen(id, { phase: 'brands' })
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ error: 'invalid_transition', message: expect.stringContaining('final') })
    expect(await statesOf(id)).toEqual(['dismissed', 'dismissed', 'dismissed'])
    expect((await reopen(id, { severity: 'warning' })).json()).toEqual({ reopened: 1 })
    expect(await detail(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  })

  test('S2, S18: is for owners and operators of its organisation', async () => {
    const id = await aRun('partial_completed')
    await post(`/v2/migrations/${id}/issues/dismiss`, { code: 'unexpected' })
    const stranger = await (await anOrganisation(service)).token()
    const choice = { code: 'unexpected' }
    expect((await reopen(id, choice, stranger)).statusCode).toBe(404)
    expect((await reopen(id, choice, await organisation.token('viewer'))).statusCode).toBe(403)
    expect(await statesOf(id)).toEqual(['open', 'dismissed', 'open'])
    expect((await reopen(id, choice, await organisation.token('operator'))).json()).toEqual({ reopened: 1 })
  })
})

describe('healing', () => {
  test('F4: a partly completed migration is queued for another round of healing, and this is audited', async () => {
    const id = await aRun('partial_completed')
    expect(await (await service.get(`/v2/migrations/${id}/request`, owner)).json().allowedControls).toEqual([
      'resume',
      'cancel',
      'heal',
    ])
    const answer = await post(`/v2/migrations/${id}/heal`)
    expect(answer.statusCode, answer.body).toBe(202)
    expect(answer.json()).toMatchObject({ status: 'queued', failuresOpen: 2 })
    const { rows } = await sql`select heal_round, heal_pass from runs where id = ${id}`.execute(service.deps.database)
    expect(rows).toEqual([{ heal_round: 1, heal_pass: 0 }])
    const again = await post(`/v2/migrations/${id}/heal`)
    expect(again.statusCode).toBe(409)
    expect(again.json().message).toContain('allowed: pause, cancel')
  })

  test('the history says which migrations try again what failed, and which copy', async () => {
    const [retried, copying] = [await aRun('partial_completed'), await aRun('in_progress')]
    const tryingAgain = async () => {
      const { items } = (await service.get('/v2/migrations', owner)).json()
      const entries = (items as { requestId: string; tryingAgain: boolean }[]).map(
        (one) => [one.requestId, one.tryingAgain] as const,
      )
      const said = new Map(entries)
      return [said.get(retried), said.get(copying)]
    }
    expect(await tryingAgain()).toEqual([false, false])
    await post(`/v2/migrations/${retried}/heal`)
    await bringTo(service, organisation.id, retried, 'in_progress')
    expect(await tryingAgain()).toEqual([true, false])
    await bringTo(service, organisation.id, retried, 'partial_completed')
    expect(await tryingAgain()).toEqual([false, false])
  })

  test('F2: healing a run that writes nothing is refused with the allowed controls', async () => {
    const id = await aRun('partial_completed', 'verify')
    const answer = await post(`/v2/migrations/${id}/heal`)
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({
      error: 'invalid_transition',
      message: 'The migration is a verify run and cannot be healed or retried; allowed: resume, cancel.',
    })
  })

  test('what cannot be done with a migration that has ended is said with what to do instead', async () => {
    const id = await aRun('completed')
    const message = async (path: string, body = {}) => (await post(`/v2/migrations/${id}/${path}`, body)).json().message
    const instead = 'any more. Start another migration, which copies what is still missing.'
    expect(await message('issues/retry', { component: 'brands' })).toBe(
      `The migration is completed and cannot be healed or retried ${instead}`,
    )
    expect(await message('resume')).toBe(`The migration is completed and cannot be resumed ${instead}`)
    expect(await message('cancel')).toBe('The migration is completed and cannot be canceled any more.')
  })

  test('a migration whose pause was requested says so when it is resumed too early', async () => {
    const id = await aRun('in_progress')
    expect((await post(`/v2/migrations/${id}/pause`)).statusCode).toBe(202)
    const early = await post(`/v2/migrations/${id}/resume`)
    expect([early.statusCode, early.json().message]).toEqual([
      409,
      'The migration is being paused and cannot be resumed; allowed: cancel.',
    ])
  })

  test('resuming heals a partly completed migration, and continues a paused one', async () => {
    const [partly, paused] = [await aRun('partial_completed'), await aRun('paused')]
    for (const id of [partly, paused]) expect((await post(`/v2/migrations/${id}/resume`)).statusCode).toBe(202)
    const round = async (id: string) =>
      (await sql<{ heal_round: number }>`select heal_round from runs where id = ${id}`.execute(service.deps.database))
        .rows[0]?.heal_round
    expect([await round(partly), await round(paused)]).toEqual([1, 0])
  })

  test('S18: an operator may heal, a viewer may not', async () => {
    const id = await aRun('partial_completed')
    expect((await post(`/v2/migrations/${id}/heal`, {}, await organisation.token('viewer'))).statusCode).toBe(403)
    expect((await post(`/v2/migrations/${id}/heal`, {}, await organisation.token('operator'))).statusCode).toBe(202)
  })
})

describe('differences of a verify run', () => {
  const create = async (mode: string): Promise<string> =>
    (await post('/v2/migrations', { source: 'store1', destination: 'store2', mode })).json().requestId

  test('are dismissed by id or filter, and no longer need review', async () => {
    const run = { organisationId: organisation.id, id: await create('verify') }
    const { database } = service.deps
    for (const sourceId of ['1', '2', '3']) await addDifference(database, run, { kind: 'missing', sourceId })
    await addDifference(database, run, { kind: 'different', sourceId: '4', destinationId: '9' })
    await bringTo(service, organisation.id, run.id, 'completed')
    const listed = async (): Promise<Difference[]> =>
      (await service.get(`/v2/migrations/${run.id}/differences`, owner)).json().items
    const dismiss = async (body: object) => (await post(`/v2/migrations/${run.id}/differences/dismiss`, body)).json()
    expect((await detail(run.id)).failuresOpen).toBe(4)
    const [first] = await listed()
    expect((await dismiss({ ids: [first?.id, 'none', '999999'] })).errors).toEqual({
      ids: ['This migration has no difference none, 999999.'],
    })
    expect(await dismiss({ ids: [first?.id] })).toEqual({ dismissed: 1 })
    expect(await dismiss({ kind: 'missing' })).toEqual({ dismissed: 2 })
    expect(await dismiss({ kind: 'missing' })).toEqual({ dismissed: 0 })
    expect((await detail(run.id)).failuresOpen).toBe(1)
    expect((await listed()).map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      ...Array(3).fill('missing dismissed'),
      'different open',
    ])
  })

  test('are reopened by id or filter, also in a completed comparison, which may have open ones', async () => {
    const run = { organisationId: organisation.id, id: await create('verify') }
    for (const sourceId of ['1', '2', '3'])
      await addDifference(service.deps.database, run, { kind: 'missing', sourceId })
    await bringTo(service, organisation.id, run.id, 'partial_completed')
    const [first, second] = (await service.get(`/v2/migrations/${run.id}/differences`, owner)).json().items
    const send = (verb: 'dismiss' | 'reopen', body: object, token = owner) =>
      post(`/v2/migrations/${run.id}/differences/${verb}`, body, token)
    await send('dismiss', { ids: [first.id, second.id] })
    expect((await send('reopen', { ids: [first.id, 'none'] })).statusCode).toBe(422)
    expect((await send('reopen', { ids: [first.id] })).json()).toEqual({ reopened: 1 })
    expect((await detail(run.id)).failuresOpen).toBe(2)
    expect((await send('reopen', { kind: 'extra' })).json()).toEqual({ reopened: 0 })
    expect((await send('reopen', { kind: 'missing' }, await organisation.token('viewer'))).statusCode).toBe(403)
    expect((await send('reopen', {})).statusCode).toBe(422)
    await send('dismiss', { kind: 'missing' })
    expect((await detail(run.id)).status).toBe('completed')
    expect((await send('reopen', { kind: 'missing' })).json()).toEqual({ reopened: 3 })
    expect(await detail(run.id)).toMatchObject({ status: 'completed', failuresOpen: 3 })
  })

  test('are not dismissed all at once by accident, and a copy has none', async () => {
    const nothing = await post(`/v2/migrations/${await create('verify')}/differences/dismiss`)
    expect([nothing.statusCode, Object.keys(nothing.json().errors)]).toEqual([422, ['ids']])
    const ofCopy = await post(`/v2/migrations/${await create('full')}/differences/dismiss`, { kind: 'extra' })
    expect(ofCopy.statusCode).toBe(409)
  })
})
