import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { healedRemedy } from '../../src/contract/issue-codes.ts'
import { type MigrationDetail, migrationDetail } from '../../src/contract/migration.ts'
import { modes } from '../../src/contract/modes.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { allowedFrom, type Control, controls, migrationStatuses } from '../../src/contract/status.ts'
import { answerPrune, requestPruneConfirmation } from '../../src/db/ledger/prune.ts'
import { countQueuedRuns, listRuns } from '../../src/db/reports/run-history.ts'
import { forgetIdempotencyKeys } from '../../src/db/runs/idempotency.ts'
import { lockRun, recordProgressSample } from '../../src/db/runs/runs.ts'
import { findSnapshot, writeSnapshot } from '../../src/db/runs/snapshots.ts'
import { entities } from '../../src/entities/registry.ts'
import { lineFrom } from '../../src/model/history-entry.ts'
import { cancel } from '../../src/operations/migrations/cancel.ts'
import { createMigration } from '../../src/operations/migrations/create-migration.ts'
import { pause } from '../../src/operations/migrations/pause.ts'
import { resume } from '../../src/operations/migrations/resume.ts'
import { verify } from '../../src/operations/migrations/verify.ts'
import { perform } from '../../src/operations/shared/perform.ts'
import { entriesOf } from '../../src/operations/shared/runs/history-entries.ts'
import { untilWaiting } from '../harness/lock-waits.ts'
import { until } from '../harness/until.ts'
import { anOrganisation, aService, type Organisation, type Service } from './a-service.ts'
import { addDifference, addIssue, bringTo, setCount } from './migration-rows.ts'

let service: Service
let organisation: Organisation
let owner: string
beforeAll(async () => {
  service = await aService()
  organisation = await anOrganisation(service)
  owner = await organisation.token()
})
afterAll(() => service.close())

const pair = { source: 'store1', destination: 'store2' }

function post(path: string, body: object = {}, { token = owner, key }: { token?: string; key?: string } = {}) {
  const headers = { authorization: `Bearer ${token}`, ...(key === undefined ? {} : { 'idempotency-key': key }) }
  return service.inject({ method: 'POST', url: path, payload: body, headers })
}

async function created(body: object = {}, token = owner): Promise<string> {
  const answer = await post('/v2/migrations', { ...pair, ...body }, { token })
  expect(answer.statusCode, answer.body).toBe(202)
  return answer.json().requestId
}

/** Runs of other tests must not fill the queue. */
async function emptyQueue(): Promise<void> {
  await sql`update runs set status = 'cancelled' where status = 'queued'`.execute(service.deps.database)
}

describe('creating', () => {
  test('answers 202 with the location of a queued migration whose counters are zero', async () => {
    const answer = await post('/v2/migrations', pair)
    expect(answer.statusCode).toBe(202)
    const detail = migrationDetail.parse(answer.json())
    expect(answer.headers.location).toBe(`/v2/migrations/${detail.requestId}`)
    expect(detail).toMatchObject({
      platform: 'BC',
      source: { hash: 'store1', label: 'Shop store1' },
      destination: { hash: 'store2', label: 'Shop store2' },
      status: 'queued',
      mode: 'full',
      conflictStrategy: 'skip',
      autoHeal: true,
      selective: false,
      sourceStorefront: null,
      destStorefront: null,
      forecast: null,
      failuresOpen: 0,
      progress: { phase: '', done: 0, discovered: 0, percent: 0, ratePerSec: 0, etaSeconds: 0, overallEtaSeconds: 0 },
      counters: { done: 0, inProgress: 0, failed: 0, skipped: 0, cancelled: 0, exceptions: 0, warnings: 0 },
    })
    expect(detail.timestamps).not.toHaveProperty('started')
    expect(detail.progress.lastProgressAt).toBe(detail.timestamps.created)
    expect(detail.phases.map(({ key }) => key)).toEqual(
      entities.filter(({ optIn }) => optIn === undefined).map(({ key }) => key),
    )
    expect(detail.phases.find(({ key }) => key === 'brands')?.components[0]).toEqual({
      key: 'brands',
      label: 'Brands',
      discovered: 0,
      success: 0,
      matched: 0,
      failed: 0,
      skipped: 0,
      pruned: 0,
      errors: null,
      total: 0,
    })
  })

  test('named entities are the phases, in the order of the registry, without a selection', async () => {
    const id = await created({ entities: ['products', 'brands'] })
    const detail = (await service.get(`/v2/migrations/${id}`, owner)).json()
    expect(detail.phases.map(({ key }: { key: string }) => key)).toEqual(['brands', 'products'])
    expect(detail.selective).toBe(false)
  })

  test.each<[string, object, string]>([
    ['an unknown key', { colour: 'red' }, 'colour'],
    ['a store that is not connected', { source: 'nowhere1' }, 'source'],
    ['a destination that is not connected', { destination: 'nowhere1' }, 'destination'],
    ['the same store twice', { destination: 'store1' }, 'destination'],
    ['a hash that cannot be one', { source: '../etc' }, 'source'],
    ['an unknown mode', { mode: 'half' }, 'mode'],
    ['a strategy that nobody knows', { conflictStrategy: 'merge' }, 'conflictStrategy'],
    ['an unknown entity', { entities: ['brands', 'unicorns'] }, 'entities.1'],
    ['an entity named twice', { entities: ['brands', 'brands'] }, 'entities.1'],
    ['no entity', { entities: [] }, 'entities'],
    ['picks of what cannot be picked', { selection: { unicorns: { ids: ['1'] } } }, 'selection.unicorns'],
    ['page templates that are no list', { selection: { pageTemplates: { ids: ['1'] } } }, 'selection.pageTemplates'],
    ['no page template', { selection: { pageTemplates: [] } }, 'selection.pageTemplates'],
    ['a page template without a file', { selection: { pageTemplates: [{}] } }, 'selection.pageTemplates.0.file'],
    [
      'a file that is no page template',
      { selection: { pageTemplates: [{ file: 'templates/home.html' }] } },
      'selection.pageTemplates.0.file',
    ],
    [
      'a page template picked twice',
      { selection: { pageTemplates: [{ file: 'pages/home' }, { file: 'pages/home', globals: true }] } },
      'selection.pageTemplates.1.file',
    ],
    [
      'items of pages that are about none',
      { selection: { pageTemplates: [{ file: 'pages/home', entityIds: ['1'] }] } },
      'selection.pageTemplates.0.entityIds',
    ],
    [
      'an item of a page that is no id',
      { selection: { pageTemplates: [{ file: 'pages/brand', entityIds: ['x'] }] } },
      'selection.pageTemplates.0.entityIds.0',
    ],
    [
      'a page template with something beside',
      { selection: { pageTemplates: [{ file: 'pages/home', all: true }] } },
      'selection.pageTemplates.0.all',
    ],
    [
      'page templates of an entity that is not asked for',
      { entities: ['brands'], selection: { pageTemplates: [{ file: 'pages/home' }] } },
      'selection.pageTemplates',
    ],
    ['pages by ids', { selection: { 'page-widgets': { ids: ['1'] } } }, 'selection.page-widgets'],
    [
      'picks of an entity that is not asked for',
      { entities: ['brands'], selection: { products: { ids: ['1'] } } },
      'selection.products',
    ],
    ['a pick that is no id', { selection: { products: { ids: ['1', 'x'] } } }, 'selection.products.ids.1'],
    ['a pick that is a number', { selection: { brands: { ids: [1] } } }, 'selection.brands.ids.0'],
    ['the id zero', { selection: { brands: { ids: ['0'] } } }, 'selection.brands.ids.0'],
    ['no pick', { selection: { brands: { ids: [] } } }, 'selection.brands.ids'],
    ['picks with something beside', { selection: { brands: { ids: ['1'], all: true } } }, 'selection.brands.all'],
    ['a storefront that is no id', { sourceStorefront: 'main', destStorefront: '1' }, 'sourceStorefront'],
    ['a storefront of the source alone', { sourceStorefront: '1' }, 'destStorefront'],
    ['a storefront of the destination alone', { destStorefront: '1' }, 'destStorefront'],
    ['an order status that there is not', { orderStatuses: ['1', '15'] }, 'orderStatuses.1'],
    ['shoppers’ data that is none', { conflictStrategy: 'replace', pruneLive: ['customers', 'brands'] }, 'pruneLive.1'],
    ['orders, which are never deleted', { conflictStrategy: 'replace', pruneLive: ['orders'] }, 'pruneLive.0'],
    ['deletions without replace', { conflictStrategy: 'update', pruneLive: ['customers'] }, 'pruneLive'],
    ['living values of what has none', { overwriteLiving: ['products', 'brands'] }, 'overwriteLiving.1'],
    ['a share above all', { pruneLimitPercent: 101 }, 'pruneLimitPercent'],
    ['a number as text', { pruneLimitItems: '5' }, 'pruneLimitItems'],
    ['an empty label', { label: '' }, 'label'],
    ['a label that is too long', { label: 'x'.repeat(limits.textLength + 1) }, 'label'],
    ['a label with the NUL character', { label: 'spring\0sale' }, 'label'],
    ['a label with half of a character', { label: 'spring \ud83d' }, 'label'],
    ['a key that belongs in the header', { idempotencyKey: 'abc' }, 'idempotencyKey'],
  ])('%s is 422 and named by its path', async (_, change, path) => {
    const answer = await post('/v2/migrations', { ...pair, ...change })
    expect(answer.statusCode, answer.body).toBe(422)
    expect(answer.json()).toMatchObject({ error: 'validation_failed', errors: { [path]: [expect.any(String)] } })
  })

  test('a value of another kind is refused with the kind that is meant', async () => {
    const wrong = {
      label: 5,
      pruneLimitItems: '20',
      pruneLimitPercent: '5',
      autoHeal: 'yes',
      entities: 'brands',
      selection: [],
    }
    const answer = await post('/v2/migrations', { ...pair, ...wrong })
    expect([answer.statusCode, answer.json().errors]).toEqual([
      422,
      {
        label: ['Must be a string.'],
        pruneLimitItems: ['Must be a number.'],
        pruneLimitPercent: ['Must be a number.'],
        autoHeal: ['Must be true or false.'],
        entities: ['Must be an array.'],
        selection: ['Must be an object.'],
      },
    ])
  })

  test('what is missing, no number, or lost on the way is said in plain words', async () => {
    expect((await post('/v2/migrations', { source: 'store1' })).json().errors).toEqual({
      destination: ['Must be given.'],
    })
    const listed = async (query: string) => (await service.get(`/v2/migrations?${query}`, owner)).json().errors
    expect(await listed('limit=few')).toEqual({ limit: ['Must be a number.'] })
    expect(await listed('limit=0')).toEqual({ limit: ['Must be at least 1.'] })
    expect(await listed(`limit=${limits.maximumPageSize + 1}`)).toEqual({ limit: ['Must be at most 200.'] })
    expect(await listed(`text=${'x'.repeat(256)}`)).toEqual({ text: ['Must have at most 255 characters.'] })
    expect(await listed('sort=newest')).toEqual({ sort: ['Must be one of created, updated, duration, failures.'] })
    expect(await listed('createdFrom=2026-03-01T09:30:00+01:00')).toEqual({
      createdFrom: ['Write the plus sign of the offset as %2B in an address.'],
    })
    const sent = async (payload: string | Buffer) =>
      service.inject({
        method: 'POST',
        url: '/v2/migrations',
        payload,
        headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
      })
    // In Latin-1, as a program may send it: a name would be stored with a replacement character.
    for (const body of ['{', Buffer.from(JSON.stringify({ ...pair, label: 'Möbel' }), 'latin1')])
      expect((await sent(body)).json()).toEqual({
        error: 'malformed_request',
        message: 'The body is not valid JSON in UTF-8.',
      })
    expect((await sent('')).json()).toEqual({
      error: 'malformed_request',
      message: 'The body is empty: send {}, or leave out the header Content-Type.',
    })
  })

  test('a setting in the address is refused: without it, a dry run would be a real one', async () => {
    const before = (await service.get('/v2/migrations?limit=1', owner)).json().items
    const answer = await post('/v2/migrations?mode=dry-run', pair)
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toEqual({ mode: ['Send it in the body.'] })
    expect((await service.get('/v2/migrations?limit=1', owner)).json().items).toEqual(before)
  })

  test('an unknown store is named with the remedy', async () => {
    const { errors } = (await post('/v2/migrations', { ...pair, source: 'nowhere1' })).json()
    expect(errors.source[0]).toContain('nowhere1')
    expect(errors.source[0]).toContain('connect it')
  })

  test('S2: a store of another organisation is as unknown as any other', async () => {
    await anOrganisation(service, { stores: ['theirs1', 'theirs2'] })
    const answer = await post('/v2/migrations', { source: 'theirs1', destination: 'store2' })
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json().errors)).toEqual(['source'])
  })

  test('empty values count as absent', async () => {
    await created({
      selection: {},
      orderStatuses: [],
      overwriteLiving: [],
      pruneLive: [],
      sourceStorefront: null,
      destStorefront: null,
    })
  })

  test('S25: an organisation may have 20 queued migrations, but not one more', async () => {
    const busy = await anOrganisation(service)
    const token = await busy.token()
    for (let at = 0; at < limits.queuedRunsPerOrganisation; at += 1) await created({}, token)
    const refused = await post('/v2/migrations', pair, { token })
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('60')
    expect(refused.json().message).toContain('cancel one')
  })

  test('S25: a migration that is resumed, healed, or retried in part counts as one more', async () => {
    const { database } = service.deps
    const busy = await anOrganisation(service)
    const token = await busy.token()
    const paused = await created({}, token)
    await post(`/v2/migrations/${paused}/pause`, {}, { token })
    const ended = await created({}, token)
    await addIssue(database, { organisationId: busy.id, id: ended }, { sourceId: '7' })
    await bringTo(service, busy.id, ended, 'partial_completed')
    for (let at = 1; at < limits.queuedRunsPerOrganisation; at += 1) await created({}, token)
    const last = await created({}, token)
    const asked = [`${paused}/resume`, `${ended}/resume`, `${ended}/heal`, `${ended}/issues/retry`]
    const answers = async () => {
      const all = []
      for (const path of asked) all.push((await post(`/v2/migrations/${path}`, {}, { token })).statusCode)
      return all
    }
    expect(await answers()).toEqual([429, 429, 429, 429])
    await post(`/v2/migrations/${last}/cancel`, {}, { token })
    expect(await answers()).toEqual([202, 429, 429, 429])
  })

  test('S25: two concurrent requests cannot both be the last one', async () => {
    const busy = await anOrganisation(service)
    const token = await busy.token()
    for (let at = 1; at < limits.queuedRunsPerOrganisation; at += 1) await created({}, token)
    const answers = await Promise.all([1, 2, 3].map(() => post('/v2/migrations', pair, { token })))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([202, 429, 429])
  })

  test('the engine is woken, and a failure to do so does not matter', async () => {
    let woken = 0
    const { admit } = service.deps
    service.deps.admit = async () => {
      woken += 1
      throw new Error('no listener')
    }
    await created()
    // Once the run is priced. Runs of earlier tests may be priced at the same time, and wake the engine too.
    await until('the engine was woken', async () => woken > 0)
    service.deps.admit = admit
  })
})

describe('permissions', () => {
  test('S18: a viewer reads and changes nothing', async () => {
    const viewer = await organisation.token('viewer')
    const id = await created()
    for (const path of ['', '/request', '/issues', '/differences'])
      expect((await service.get(`/v2/migrations/${id}${path}`, viewer)).statusCode).toBe(200)
    expect((await service.get('/v2/migrations', viewer)).statusCode).toBe(200)
    for (const control of [...controls, 'verify'])
      expect((await post(`/v2/migrations/${id}/${control}`, {}, { token: viewer })).statusCode).toBe(403)
    expect((await post('/v2/migrations', pair, { token: viewer })).statusCode).toBe(403)
    expect((await post('/v2/migrations', { colour: 'red' }, { token: viewer })).json().error).toBe('forbidden')
  })

  test('S18: an operator creates and controls', async () => {
    const operator = await organisation.token('operator')
    const id = await created({}, operator)
    expect((await post(`/v2/migrations/${id}/pause`, {}, { token: operator })).statusCode).toBe(202)
  })

  test('S18: only an owner confirms a deletion beyond the limits of a `replace`; an operator may decline it', async () => {
    const operator = await organisation.token('operator')
    const waiting = async () => {
      const id = await created({ conflictStrategy: 'replace' })
      await bringTo(service, organisation.id, id, 'paused')
      await sql`update runs set prune_digest = 'of-the-set', prune_items = 7 where id = ${id}`.execute(
        service.deps.database,
      )
      return `/v2/migrations/${id}/resume`
    }
    const set = { confirmPrune: 'of-the-set' }
    const refused = await post(await waiting(), set, { token: operator })
    expect([refused.statusCode, refused.json().error]).toEqual([403, 'forbidden'])
    expect(refused.json().message).toContain('owner')
    expect((await post(await waiting(), {}, { token: operator })).statusCode).toBe(202)
    expect((await post(await waiting(), set)).statusCode).toBe(202)
  })

  test('G3, S18: only an owner lets `replace` delete what shoppers made, and the audit names the components', async () => {
    const operator = await organisation.token('operator')
    const settings = { conflictStrategy: 'replace', pruneLive: ['customers', 'wishlists'] }
    const refused = await post('/v2/migrations', { ...pair, ...settings }, { token: operator })
    expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('leave out pruneLive')])
    const id = await created(settings)
    const { rows } = await sql<{ details: object }>`
      select details from audit where action = 'migration.create' and details ->> 'runId' = ${id}`.execute(
      service.deps.database,
    )
    expect(rows).toEqual([{ details: { runId: id, pruneLive: ['customers', 'wishlists'] } }])
  })

  test('S18: an operator cannot widen the limits of a `replace`', async () => {
    const operator = await organisation.token('operator')
    const status = async (limit: object, token = operator) =>
      (await post('/v2/migrations', { ...pair, conflictStrategy: 'replace', ...limit }, { token })).statusCode
    expect(await status({ pruneLimitPercent: 20, pruneLimitItems: 100 })).toBe(202)
    expect(await status({ pruneLimitPercent: 21 })).toBe(403)
    expect(await status({ pruneLimitItems: 101 })).toBe(403)
    expect(await status({ pruneLimitPercent: 100, pruneLimitItems: 5_000 }, owner)).toBe(202)
    expect(await status({ pruneLimitItems: 101, conflictStrategy: 'skip' })).toBe(202)
  })

  test('S6, S18: an owner who is made an operator during the request has no more deleted than an operator may', async () => {
    const { deps } = service
    const { id: organisationId, userId, token } = await anOrganisation(service)
    const caller = await deps.bearerTokens.verify(await token())
    const replaces = { ...pair, conflictStrategy: 'replace' }
    const { output } = await perform(createMigration, replaces, caller, deps)
    const id = output.requestId
    await bringTo(service, organisationId, id, 'paused')
    await sql`update runs set prune_digest = 'of-the-set', prune_items = 7 where id = ${id}`.execute(deps.database)
    await sql`update memberships set role = 'operator' where user_id = ${userId}`.execute(deps.database)
    for (const more of [{ pruneLive: ['customers'] }, { pruneLimitPercent: 100 }])
      await expect(perform(createMigration, { ...replaces, ...more }, caller, deps)).rejects.toMatchObject({
        code: 'forbidden',
      })
    const confirmed = perform(resume, { id, confirmPrune: 'of-the-set' }, caller, deps)
    await expect(confirmed).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('S2: to another organisation a migration does not exist', async () => {
    const stranger = await (await anOrganisation(service)).token()
    const id = await created()
    const unknown = (await service.get(`/v2/migrations/${randomUUID()}`, stranger)).json()
    for (const path of ['', '/request', '/issues', '/differences']) {
      const answer = await service.get(`/v2/migrations/${id}${path}`, stranger)
      expect(answer.statusCode).toBe(404)
      expect(answer.json().error).toBe(unknown.error)
    }
    for (const control of [...controls, 'verify'])
      expect((await post(`/v2/migrations/${id}/${control}`, {}, { token: stranger })).statusCode).toBe(404)
    expect((await service.get('/v2/migrations', stranger)).json().items).toEqual([])
    expect((await service.get(`/v2/migrations/${id}`, owner)).json().status).toBe('queued')
  })

  test('S6: nothing is written if the secret is rotated during the request', async () => {
    const { deps } = service
    const id = await created()
    const verified = await deps.bearerTokens.verify(await organisation.token())
    const { statusCode } = await post(`/v2/migrations/${id}/pause`)
    expect(statusCode).toBe(202)
    const stale = { ...verified, secretVersion: 2 }
    await expect(perform(createMigration, pair, stale, deps)).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(perform(verify, { id }, stale, deps)).rejects.toMatchObject({ code: 'unauthorized' })
    for (const control of [pause, resume, cancel])
      await expect(perform(control, { id }, stale, deps)).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(perform(cancel, { id }, verified, deps)).resolves.toMatchObject({ output: { status: 'cancelled' } })
  })

  test('an invalid id is a 404 too', async () => {
    expect((await service.get('/v2/migrations/42', owner)).statusCode).toBe(404)
  })
})

describe('S23: the same request with the same key is one migration', () => {
  test('sent again, or twice at the same time', async () => {
    const key = randomUUID()
    const answers = await Promise.all([post('/v2/migrations', pair, { key }), post('/v2/migrations', pair, { key })])
    const later = await post('/v2/migrations', pair, { key })
    const ids = new Set([...answers, later].map((answer) => answer.json().requestId))
    expect([...answers, later].map(({ statusCode }) => statusCode)).toEqual([202, 202, 202])
    expect(ids.size).toBe(1)
  })

  test('another body with the same key is a conflict', async () => {
    const key = randomUUID()
    await post('/v2/migrations', pair, { key })
    const answer = await post('/v2/migrations', { ...pair, label: 'other' }, { key })
    expect(answer.statusCode).toBe(409)
    expect(answer.json().error).toBe('idempotency_conflict')
  })

  test('before and after an upgrade that adds a setting: what a caller leaves out is not compared', async () => {
    const key = randomUUID()
    const first = (await post('/v2/migrations', pair, { key })).json().requestId
    // As a version stores it that has no other settings.
    const sent = JSON.stringify(pair)
    const { rows } = await sql`
      select run_id as id from idempotency_keys where body_hash = sha256(convert_to(${sent}, 'UTF8'))
        and key_hash = sha256(convert_to(${key}, 'UTF8'))`.execute(service.deps.database)
    expect(rows).toEqual([{ id: first }])
    expect((await post('/v2/migrations', { ...pair, autoHeal: true }, { key })).json().requestId).toBe(first)
    expect((await post('/v2/migrations', { ...pair, autoHeal: false }, { key })).statusCode).toBe(409)
  })

  test('keys are separate per member and per operation', async () => {
    await emptyQueue()
    const key = randomUUID()
    const mine = (await post('/v2/migrations', pair, { key })).json().requestId
    const theirs = await post('/v2/migrations', pair, { key, token: await organisation.token('operator') })
    expect(theirs.json().requestId).not.toBe(mine)
    await bringTo(service, organisation.id, mine, 'completed')
    const verified = await post(`/v2/migrations/${mine}/verify`, {}, { key })
    expect(verified.json().requestId).not.toBe(mine)
    expect((await post(`/v2/migrations/${mine}/verify`, {}, { key })).json().requestId).toBe(verified.json().requestId)
  })

  test('a key is free after a refused request, and after 24 hours', async () => {
    await emptyQueue()
    const key = randomUUID()
    expect((await post('/v2/migrations', { ...pair, source: 'nowhere1' }, { key })).statusCode).toBe(422)
    const first = (await post('/v2/migrations', pair, { key })).json().requestId
    await sql`update idempotency_keys set at = at - interval '25 hours'`.execute(service.deps.database)
    expect((await post('/v2/migrations', pair, { key })).json().requestId).not.toBe(first)
  })

  test('a migration is created while another one forgets keys of yesterday', async () => {
    await emptyQueue()
    await post('/v2/migrations', pair, { key: randomUUID() })
    await sql`update idempotency_keys set at = at - interval '25 hours'`.execute(service.deps.database)
    await service.deps.database.transaction().execute(async (tx) => {
      await forgetIdempotencyKeys(tx, new Date(service.clock.now().getTime() - 24 * 3_600_000))
      expect((await post('/v2/migrations', pair, { key: randomUUID() })).statusCode).toBe(202)
    })
  })

  test('a key with a space is refused by its name', async () => {
    const answer = await post('/v2/migrations', pair, { key: 'two words' })
    expect(answer.json()).toMatchObject({
      error: 'validation_failed',
      errors: { idempotencyKey: [expect.any(String)] },
    })
  })
})

describe('controls', () => {
  const becomes: Record<Control, Partial<Record<string, string>>> = {
    pause: { queued: 'paused', in_progress: 'in_progress' },
    resume: { paused: 'queued', partial_completed: 'queued' },
    cancel: { queued: 'cancelled', in_progress: 'in_progress', paused: 'cancelled', partial_completed: 'cancelled' },
    heal: { partial_completed: 'queued' },
  }

  test.each(
    controls.flatMap((control) => migrationStatuses.map((status) => [control, status] as const)),
  )('%s of a migration that is %s', async (control, status) => {
    await emptyQueue()
    const id = await created()
    await bringTo(service, organisation.id, id, status)
    const answer = await post(`/v2/migrations/${id}/${control}`)
    const after = (await service.get(`/v2/migrations/${id}`, owner)).json()
    if (allowedFrom[control].includes(status)) {
      expect(answer.statusCode, answer.body).toBe(202)
      expect(answer.json().status).toBe(becomes[control][status])
      expect(after.status).toBe(becomes[control][status])
    } else {
      expect(answer.statusCode).toBe(409)
      expect(answer.json().error).toBe('invalid_transition')
      expect(answer.json().message).toMatch(/allowed: |any more\./)
      expect(after.status).toBe(status)
    }
  })

  test('a control of a running migration is stored for the engine, and repeating it has no effect', async () => {
    const id = await created()
    await bringTo(service, organisation.id, id, 'in_progress')
    const request = async () => (await service.get(`/v2/migrations/${id}/request`, owner)).json()
    expect(await request()).toMatchObject({ asked: 'none', allowedControls: ['pause', 'cancel'] })
    await post(`/v2/migrations/${id}/pause`)
    expect((await post(`/v2/migrations/${id}/pause`)).statusCode).toBe(202)
    expect(await request()).toMatchObject({ asked: 'pause', allowedControls: ['cancel'] })
    expect((await post(`/v2/migrations/${id}/cancel`)).statusCode).toBe(202)
    expect(await request()).toMatchObject({ asked: 'cancel', allowedControls: [] })
    expect((await post(`/v2/migrations/${id}/pause`)).json().error).toBe('invalid_transition')
  })

  test('a cancelled migration counts what it left, frees its destination and is read from its snapshot', async () => {
    const { database } = service.deps
    const id = await created()
    await setCount(database, id, 'brands', {
      expected: 12,
      discovered: 10,
      created: 4,
      matched: 2,
      skipped: 1,
      failed: 1,
    })
    await sql`insert into ledger (run_id, component, source_id, pass, root_id, state)
      values (${id}, 'brands', '7', 'brands', '7', 'pending'), (${id}, 'brands', '1', 'brands', '1', 'created')`.execute(
      database,
    )
    await bringTo(service, organisation.id, id, 'paused')
    await sql`insert into destination_leases (platform, store_hash, run_id) values ('BC', 'store2', ${id})`.execute(
      database,
    )
    await sql`insert into staged_items (run_id, pass, source_id, body) values (${id}, 'brands', '7', '{}')`.execute(
      database,
    )
    const answer = await post(`/v2/migrations/${id}/cancel`)
    expect(answer.json()).toMatchObject({
      status: 'cancelled',
      counters: { done: 6, skipped: 1, failed: 1, cancelled: 2, inProgress: 0 },
      progress: { discovered: 10, done: 10, etaSeconds: 0, overallEtaSeconds: 0 },
    })
    const states = await sql<{
      state: string
    }>`select state from ledger where run_id = ${id} order by source_id`.execute(database)
    expect(states.rows.map(({ state }) => state)).toEqual(['created', 'cancelled'])
    const leases = await sql`select from destination_leases where run_id = ${id}`.execute(database)
    expect(leases.rows).toEqual([])
    const copies = await sql`select from staged_items where run_id = ${id}`.execute(database)
    expect(copies.rows).toEqual([])
    const read = await service.get(`/v2/migrations/${id}`, owner)
    expect(read.headers['x-read-source']).toBe('postgres')
    expect(read.json()).toEqual(await findSnapshot(database, organisation.id, id))
    const outbox = await sql`select from outbox where subject_id = ${id}`.execute(database)
    expect(outbox.rows).toHaveLength(1)
  })

  test('of two concurrent controls, the second sees the effect of the first', async () => {
    const { database } = service.deps
    const id = await created()
    await bringTo(service, organisation.id, id, 'paused')
    const holding = await database.startTransaction().execute()
    await sql`select from runs where id = ${id} for update`.execute(holding)
    const answers = [1, 2].map(() => post(`/v2/migrations/${id}/cancel`))
    await untilWaiting(database, 2).finally(() => holding.rollback().execute())
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode).sort()).toEqual([202, 409])
  })

  test('every control is audited with its caller', async () => {
    const { database } = service.deps
    const id = await created()
    for (const control of ['pause', 'resume', 'cancel']) await post(`/v2/migrations/${id}/${control}`)
    const audit = await sql<{ action: string }>`
      select action from audit where details ->> 'runId' = ${id} and actor_user_id = ${organisation.userId} order by id`.execute(
      database,
    )
    expect(audit.rows.map(({ action }) => action)).toEqual([
      'migration.create',
      'migration.pause',
      'migration.resume',
      'migration.cancel',
    ])
  })
})

describe('verify', () => {
  test('is a new migration over the same scope that names the first one', async () => {
    const id = await created({ entities: ['brands'], label: 'spring' })
    await bringTo(service, organisation.id, id, 'completed')
    const answer = await post(`/v2/migrations/${id}/verify`)
    expect(answer.statusCode, answer.body).toBe(202)
    const detail = answer.json()
    expect(answer.headers.location).toBe(`/v2/migrations/${detail.requestId}`)
    expect(detail).toMatchObject({ mode: 'verify', status: 'queued', phases: [{ key: 'brands' }] })
    const request = (await service.get(`/v2/migrations/${detail.requestId}/request`, owner)).json()
    expect(request).toMatchObject({ verifies: id, label: 'spring', settings: { mode: 'verify', entities: ['brands'] } })
  })

  test.each(['queued', 'in_progress'] as const)('has to wait for a migration that is %s', async (status) => {
    const id = await created()
    await bringTo(service, organisation.id, id, status)
    expect((await post(`/v2/migrations/${id}/verify`)).json().error).toBe('invalid_transition')
  })

  test('waits for a control of the migration, and neither fails', async () => {
    const id = await created()
    await bringTo(service, organisation.id, id, 'completed')
    const { database } = service.deps
    const begun = await database.transaction().execute(async (tx) => {
      // As for resume and heal, which then look for room in the queue.
      await lockRun(tx, organisation.id, id)
      const comparing = post(`/v2/migrations/${id}/verify`)
      await untilWaiting(database, 1)
      await countQueuedRuns(tx, organisation.id)
      return { comparing }
    })
    expect((await begun.comparing).statusCode).toBe(202)
  })

  test('counts open differences as failures, but not extra or living ones', async () => {
    const { database } = service.deps
    const id = await created({ mode: 'verify' })
    const run = { organisationId: organisation.id, id }
    await addDifference(database, run, { kind: 'missing', sourceId: '1' })
    await addDifference(database, run, { kind: 'different', sourceId: '2', destinationId: '9' })
    await addDifference(database, run, { kind: 'extra', destinationId: '10' })
    await addDifference(database, run, { kind: 'different', sourceId: '3', destinationId: '11', living: true })
    expect((await service.get(`/v2/migrations/${id}`, owner)).json().failuresOpen).toBe(2)
  })
})

describe('reading', () => {
  test('F3: the status decides the source of the answer, whatever snapshots exist', async () => {
    const id = await created()
    await bringTo(service, organisation.id, id, 'partial_completed')
    const finished = await service.get(`/v2/migrations/${id}`, owner)
    expect(finished.headers['x-read-source']).toBe('postgres')
    await post(`/v2/migrations/${id}/resume`)
    const live = await service.get(`/v2/migrations/${id}`, owner)
    expect(live.headers['x-read-source']).toBe('engine')
    expect(live.json().status).toBe('queued')
  })

  test('F3: a lower revision never replaces a higher one', async () => {
    const { database } = service.deps
    const id = await created()
    await bringTo(service, organisation.id, id, 'completed')
    const { summaryLine } = (await service.get(`/v2/migrations/${id}`, owner)).json()
    await sql`update runs set revision = 0, status = 'failed' where id = ${id}`.execute(database)
    const late = await database.transaction().execute((tx) => writeSnapshot(tx, organisation.id, id))
    expect(late.summaryLine).not.toBe(summaryLine)
    expect((await findSnapshot(database, organisation.id, id))?.summaryLine).toBe(summaryLine)
  })

  test('the percentage never goes down, however many items are discovered', async () => {
    const { database } = service.deps
    const id = await created()
    await bringTo(service, organisation.id, id, 'in_progress')
    const percent = async () => (await service.get(`/v2/migrations/${id}`, owner)).json().progress.percent
    await setCount(database, id, 'categories', { discovered: 10, created: 9 })
    expect(await percent()).toBe(90)
    await setCount(database, id, 'categories', { discovered: 1000 })
    expect(await percent()).toBe(90)
    await setCount(database, id, 'categories', { created: 1000 })
    expect(await percent()).toBe(99.9)
  })

  test('the rate is that of the last 30 s of work, and pauses do not slow it', async () => {
    const { database } = service.deps
    const id = await created({ entities: ['brands'] })
    await bringTo(service, organisation.id, id, 'in_progress')
    const progress = async () => (await service.get(`/v2/migrations/${id}`, owner)).json().progress
    const worked = (seconds: number) =>
      sql`update runs set worked_ms = ${seconds * 1000}, admitted_at = null where id = ${id}`.execute(database)
    await setCount(database, id, 'brands', { discovered: 10_000, created: 0 })
    await worked(10)
    await setCount(database, id, 'brands', { created: 100 })
    expect((await progress()).ratePerSec).toBe(10)
    await recordProgressSample(database, id)
    await worked(40)
    await setCount(database, id, 'brands', { created: 1_000 })
    expect((await progress()).ratePerSec).toBe(30)
    await recordProgressSample(database, id)
    await sql`update runs set status = 'paused', updated_at = now() where id = ${id}`.execute(database)
    expect((await progress()).ratePerSec).toBe(30)
    await sql`update runs set status = 'in_progress', admitted_at = null where id = ${id}`.execute(database)
    await worked(80)
    expect(await progress()).toMatchObject({ ratePerSec: 0, done: 1_000 })
    await recordProgressSample(database, id)
    await worked(101)
    await recordProgressSample(database, id)
    const kept = await sql<{
      samples: number[][]
    }>`select progress_samples as samples from runs where id = ${id}`.execute(database)
    expect(kept.rows[0]?.samples).toEqual([
      [80_000, 1_000],
      [101_000, 1_000],
    ])
  })

  test('F5: errors are null before any call, and exceptions are counted separately', async () => {
    const { database } = service.deps
    const id = await created({ entities: ['brands'] })
    await sql`update run_counters set errors = 2, exceptions = 1, failed = 1, discovered = 1
      where run_id = ${id} and component = 'brands'`.execute(database)
    const detail = (await service.get(`/v2/migrations/${id}`, owner)).json()
    expect(detail.phases[0].components).toMatchObject([
      { key: 'brands', errors: 2, failed: 1 },
      { key: 'brand-metafields', errors: null },
    ])
    expect(detail.counters).toMatchObject({ exceptions: 1, failed: 1 })
  })
})

describe('lists', () => {
  let shop: Organisation
  let token: string
  beforeEach(async () => {
    shop = await anOrganisation(service, { stores: ['store1', 'store2', 'store3'] })
    token = await shop.token()
  })
  const get = async (path: string) => (await service.get(path, token)).json()

  test('the history is newest first, and its pages neither lose nor repeat a migration', async () => {
    const ids: string[] = []
    for (const label of ['one', 'two', 'three', 'four', 'five']) ids.unshift(await created({ label }, token))
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { items: { requestId: string }[]; nextCursor: string | null } = await get(
        `/v2/migrations?limit=2${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      seen.push(...page.items.map(({ requestId }) => requestId))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(ids)
  })

  test('a history entry has the request, its author and the current state', async () => {
    const id = await created({ label: 'spring sale' }, token)
    const { items } = await get('/v2/migrations?text=SPRING')
    expect(items).toEqual([
      {
        requestId: id,
        label: 'spring sale',
        source: { hash: 'store1', label: 'Shop store1' },
        destination: { hash: 'store2', label: 'Shop store2' },
        mode: 'full',
        conflictStrategy: 'skip',
        status: 'queued',
        selective: false,
        counters: { done: 0, inProgress: 0, failed: 0, skipped: 0, cancelled: 0, exceptions: 0, warnings: 0 },
        failuresOpen: 0,
        timestamps: { created: expect.any(String), updated: expect.any(String) },
        workedSeconds: 0,
        summaryLine: 'Waiting to start.',
        tryingAgain: false,
        createdBy: { id: shop.userId, name: 'Ada Lovelace' },
      },
    ])
  })

  test('a history entry shows of a migration that goes on what its detail shows, in every mode, status and phase', async () => {
    const id = await created({}, token)
    const { database } = service.deps
    await sql`update run_counters set expected = nullif(position % 7, 0) * 20, discovered = position % 5 + 9,
      created = position % 3, updated = 1, matched = position % 2, skipped = 2, failed = position % 4, cancelled = position % 2,
      warnings = 1, progressed_at = now() + position * interval '1 ms' where run_id = ${id}`.execute(database)
    const percents = new Set()
    for (const mode of modes)
      for (const status of ['queued', 'in_progress', 'paused'])
        for (const phase of ['', 'brands', 'orders']) {
          const bring = () =>
            sql`update runs set mode = ${mode}, status = ${status}, phase = ${phase}, percent_reached = 0 where id = ${id}`
          await bring().execute(database)
          const detail: MigrationDetail = await get(`/v2/migrations/${id}`)
          // Reading the detail has raised it.
          await bring().execute(database)
          const { items } = await get('/v2/migrations?limit=1')
          expect(items).toMatchObject([{ requestId: id, mode, ...lineFrom(detail) }])
          percents.add(`${mode} ${detail.progress.percent}`)
        }
    expect(percents.size).toBe(3 * (modes.length - 1) + 1)
  })

  test('a migration that is erased while a page of the history is read is left out', async () => {
    const [erased, other] = [await created({}, token), await created({}, token)]
    const { database } = service.deps
    const rows = await listRuns(database, shop.id, {}, { after: null, limit: 2, sort: 'created' })
    await sql`delete from runs where id = ${erased}`.execute(database)
    expect(await entriesOf(database, rows)).toMatchObject([{ requestId: other, status: 'queued' }])
  })

  test('a migration is renamed while it waits and after it ended, which is audited, and nothing else of it changes', async () => {
    const id = await created({ label: 'Sprig copy' }, token)
    const rename = (label: unknown, by = token) =>
      service.inject({
        method: 'PATCH',
        url: `/v2/migrations/${id}`,
        headers: { authorization: `Bearer ${by}` },
        payload: { label },
      })
    const labels = async () => {
      const [{ items }, request] = [await get('/v2/migrations'), await get(`/v2/migrations/${id}/request`)]
      return [items[0].label, request.label]
    }
    const before = await get(`/v2/migrations/${id}`)
    const operator = await shop.token('operator')
    expect((await rename('Spring copy', operator)).json()).toEqual({ requestId: id, label: 'Spring copy' })
    expect(await labels()).toEqual(['Spring copy', 'Spring copy'])
    expect(await get(`/v2/migrations/${id}`)).toEqual(before)
    await bringTo(service, shop.id, id, 'completed')
    expect((await rename('x'.repeat(limits.textLength))).statusCode).toBe(200)
    expect(await labels()).toEqual(Array(2).fill('x'.repeat(limits.textLength)))
    for (const refused of ['', 'x'.repeat(limits.textLength + 1), undefined, 7])
      expect(Object.keys((await rename(refused)).json().errors)).toEqual(['label'])
    expect((await rename('Mine', await shop.token('viewer'))).statusCode).toBe(403)
    expect((await rename(null)).json()).toEqual({ requestId: id, label: null })
    expect(await labels()).toEqual([null, null])
    const { rows } = await sql`
      select actor_user_id is not null as "isKnown" from audit
      where action = 'migration.rename' and organisation_id = ${shop.id} and details = ${JSON.stringify({ runId: id })}`.execute(
      service.deps.database,
    )
    expect(rows).toEqual(Array(3).fill({ isKnown: true }))
  })

  test('who created migrations of the organisation is listed once each, also for those who do not see its members', async () => {
    const [ours, theirs] = await Promise.all([anOrganisation(service), anOrganisation(service)])
    const ask = async (path: string, of = ours) => (await service.get(path, await of.token('viewer'))).json()
    expect(await ask('/v2/migrations/creators')).toEqual({ items: [] })
    const operator = await ours.token('operator')
    for (const token of [operator, await ours.token(), operator]) await created({}, token)
    await sql`update users set first_name = 'Zoe' where id in (select created_by from runs where created_by in (
      select user_id from memberships where organisation_id = ${ours.id} and role = 'operator'))`.execute(
      service.deps.database,
    )
    const { items } = await ask('/v2/migrations')
    const creators = new Map(
      items.map(({ createdBy }: { createdBy: object }) => [JSON.stringify(createdBy), { ...createdBy, email: null }]),
    )
    const listed = (await ask('/v2/migrations/creators')).items
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['Ada Lovelace', 'Zoe Lovelace'])
    expect(listed).toEqual(expect.arrayContaining([...creators.values()]))
    expect(await ask('/v2/migrations/creators', theirs)).toEqual({ items: [] })
    await created({}, await ours.token('operator'))
    const addresses = (await ask('/v2/migrations/creators')).items.map(({ email }: { email: string | null }) => email)
    expect(addresses).toEqual([expect.stringMatching(/^Ada\./), expect.stringMatching(/^Ada\./), null])
  })

  test('the history is filtered by several strategies, and a cursor belongs to them in any order', async () => {
    const [update, replace] = [
      await created({ conflictStrategy: 'update' }, token),
      await created({ conflictStrategy: 'replace' }, token),
    ]
    await created({ conflictStrategy: 'skip' }, token)
    const page = async (query: string) => await get(`/v2/migrations?limit=1&${query}`)
    const first = await page('conflictStrategy=update,replace')
    const rest = await page(`conflictStrategy=replace,update&cursor=${encodeURIComponent(first.nextCursor)}`)
    const idsOf = [first, rest].map(({ items }) => items.map(({ requestId }: { requestId: string }) => requestId))
    expect(idsOf).toEqual([[replace], [update]])
    expect(rest.nextCursor).toBeNull()
    expect((await service.get('/v2/migrations?conflictStrategy=update,merge', token)).statusCode).toBe(422)
  })

  test('the history is filtered by status, waiting deletion, mode, store, storefront, person and date', async () => {
    const paused = await created({ destination: 'store3', mode: 'verify' }, token)
    await bringTo(service, shop.id, paused, 'paused')
    const found = async (query: string) =>
      (await get(`/v2/migrations?${query}`)).items.map(({ requestId }: { requestId: string }) => requestId)
    expect(await found('status=paused')).toEqual([paused])
    expect(await found('waitsFor=deletion')).toEqual([])
    await service.deps.database
      .transaction()
      .execute((tx) => requestPruneConfirmation(tx, paused, 'a digest of the items', 3))
    expect(await found('waitsFor=deletion')).toEqual([paused])
    const failed = await created({}, token)
    await bringTo(service, shop.id, failed, 'failed')
    await created({}, token)
    expect(await found('status=paused,failed')).toEqual([failed, paused])
    await service.deps.database
      .transaction()
      .execute((tx) => answerPrune(tx, { id: paused, organisationId: shop.id }, 'declined'))
    expect(await found('waitsFor=deletion')).toEqual([])
    expect(await found('status=failed&status=paused')).toEqual([failed, paused])
    expect((await service.get('/v2/migrations?status=paused,sleeping', token)).statusCode).toBe(422)
    expect((await service.get('/v2/migrations?status=', token)).statusCode).toBe(422)
    const { summaryLine } = (await get(`/v2/migrations/${failed}`)) as { summaryLine: string }
    expect(await found(`text=${encodeURIComponent(summaryLine.toUpperCase())}`)).toEqual([failed])
    expect(await found('mode=verify')).toEqual([paused])
    const counted = await created({ mode: 'counts' }, token)
    expect(await found('mode=verify,counts')).toEqual([counted, paused])
    expect((await service.get('/v2/migrations?mode=verify,copy', token)).statusCode).toBe(422)
    await sql`update runs set source_storefront = '7', dest_storefront = '8' where id = ${counted}`.execute(
      service.deps.database,
    )
    expect(await found('storefront=7')).toEqual([counted])
    expect(await found('storefront=8')).toEqual([counted])
    await sql`update runs set created_by = null where id <> ${counted} and organisation_id = ${shop.id}`.execute(
      service.deps.database,
    )
    expect(await found(`createdBy=${shop.userId}`)).toEqual([counted])
    expect(await found('store=store3')).toEqual([paused])
    expect(await found('store=store3&mode=counts')).toEqual([])
    const noIds = ['storefront=main', `createdBy=${encodeURIComponent("x' or 1=1")}`, 'createdBy=Olive']
    for (const query of [...['store', 'source', 'destination'].map((field) => `${field}=stroe3`), ...noIds]) {
      const [field] = query.split('=')
      const misspelled = await service.get(`/v2/migrations?${query}`, token)
      expect([misspelled.statusCode, Object.keys(misspelled.json().errors)]).toEqual([422, [field]])
    }
    expect(await found('createdFrom=2100-01-01T00:00:00Z')).toEqual([])
    expect(await found('createdBefore=2000-01-01T00:00:00Z')).toEqual([])
    expect((await service.get('/v2/migrations?status=sleeping', token)).statusCode).toBe(422)
    expect((await service.get('/v2/migrations?text=%00', token)).json().errors).toEqual({ text: [expect.any(String)] })
    expect((await service.get('/v2/migrations?colour=red', token)).json().errors).toEqual({ colour: ['Unknown key.'] })
  })

  describe('sorted', () => {
    /** Four runs, and two each that share what they are sorted by. */
    async function fourRuns(): Promise<[string, string, string, string]> {
      const { database } = service.deps
      const ids = [
        await created({}, token),
        await created({}, token),
        await created({}, token),
        await created({}, token),
      ]
      const [one = '', two = '', three = '', four = ''] = ids
      for (const id of ids) await bringTo(service, shop.id, id, 'partial_completed')
      await sql`update runs set worked_ms = case id when ${one} then 90_000 when ${two} then 90_000 else 4_600 end,
        updated_at = '2100-01-01', last_progress_at = created_at where id = any(${ids}::uuid[])`.execute(database)
      const issues = [
        [two, { sourceId: '1' }],
        [two, { sourceId: '2' }],
        [three, { sourceId: '1' }],
        [four, { sourceId: '1', severity: 'warning' }],
      ] as const
      for (const [id, issue] of issues) await addIssue(database, { organisationId: shop.id, id }, issue)
      // Its items changed later than its status.
      await sql`update run_counters set progressed_at = '2100-01-02' where run_id = ${three} and component = 'brands'`.execute(
        database,
      )
      for (const id of ids) await database.transaction().execute((tx) => writeSnapshot(tx, shop.id, id))
      return [one, two, three, four]
    }
    type Entry = { requestId: string; workedSeconds: number; failuresOpen: number; timestamps: { updated: string } }

    /** All pages of one entry each; `between` happens after the second one. */
    async function pagesOf(query: string, between?: () => Promise<unknown>): Promise<Entry[]> {
      const seen: Entry[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await get(`/v2/migrations?limit=1&${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
        seen.push(...page.items)
        cursor = page.nextCursor
        if (seen.length === 2) await between?.()
      }
      return seen
    }
    const idsOf = (entries: Entry[]) => entries.map(({ requestId }) => requestId)

    test('each order has the highest first, ties in one order, and pages that neither lose nor repeat one', async () => {
      const [one, two, three, four] = await fourRuns()
      const latestOf = (...ids: string[]) => ids.toSorted().toReversed()
      const updated = await pagesOf('sort=updated')
      expect(idsOf(updated)).toEqual([three, ...latestOf(one, two, four)])
      expect(updated[0]?.timestamps.updated).toBe('2100-01-02T00:00:00.000Z')
      const duration = await pagesOf('sort=duration')
      expect(idsOf(duration)).toEqual([...latestOf(one, two), ...latestOf(three, four)])
      expect(duration.map(({ workedSeconds }) => workedSeconds)).toEqual([90, 90, 5, 5])
      const failures = await pagesOf('sort=failures')
      expect(idsOf(failures)).toEqual([two, three, ...latestOf(one, four)])
      expect(failures.map(({ failuresOpen }) => failuresOpen)).toEqual([2, 1, 0, 0])
      expect(idsOf(await pagesOf('sort=created'))).toEqual([four, three, two, one])
      expect((await service.get('/v2/migrations?sort=colour', token)).statusCode).toBe(422)
    })

    test('what changes between two pages disturbs no other: a page begins where the last one ended', async () => {
      const [one, two, three, four] = await fourRuns()
      const { database } = service.deps
      const settle = sql`update issues set state = 'dismissed' where run_id = ${two}`
      const seen = idsOf(await pagesOf('sort=failures', () => settle.execute(database)))
      expect(seen.slice(0, 2)).toEqual([two, three])
      expect(seen.filter((id) => id !== two).sort()).toEqual([one, three, four].sort())
    })

    test('S23: a cursor belongs to its order and its statuses, in whatever order these are named', async () => {
      await fourRuns()
      const { nextCursor } = await get('/v2/migrations?limit=1&sort=duration&status=failed,partial_completed')
      const next = async (query: string) =>
        (await service.get(`/v2/migrations?limit=1&cursor=${nextCursor}&${query}`, token)).statusCode
      expect(await next('sort=duration&status=partial_completed,failed')).toBe(200)
      expect(await next('sort=failures&status=failed,partial_completed')).toBe(422)
      expect(await next('sort=duration&status=partial_completed')).toBe(422)
    })
  })

  test.each([
    [0, 422],
    [1, 200],
    [limits.maximumPageSize, 200],
    [limits.maximumPageSize + 1, 422],
  ])('a page of %i is %i', async (limit, httpStatus) => {
    expect((await service.get(`/v2/migrations?limit=${limit}`, token)).statusCode).toBe(httpStatus)
  })

  test('an issue that is solved asks for nothing any more', async () => {
    const { database } = service.deps
    const run = { organisationId: shop.id, id: await created({}, token) }
    for (const sourceId of ['1', '2']) await addIssue(database, run, { sourceId })
    await sql`update issues set state = 'healed' where run_id = ${run.id} and source_id = '2'`.execute(database)
    const { items } = await get(`/v2/migrations/${run.id}/issues`)
    expect(items.map(({ remedy }: { remedy: string }) => remedy)).toEqual(['Correct it.', healedRemedy])
    const solved = items[1]
    for (const id of [run.id, run.id.toUpperCase()])
      expect((await get(`/v2/migrations/${id}/issues/${solved.id}`)).remedy).toBe(healedRemedy)
  })

  test('issues have the item, the remedy and the refusal of the platform, in order of occurrence', async () => {
    const { database } = service.deps
    const run = { organisationId: shop.id, id: await created({}, token) }
    const platform = {
      method: 'POST',
      path: '/v3/catalog/brands',
      status: 422,
      title: 'Invalid',
      errors: { name: 'taken' },
    }
    await addIssue(database, run, { sourceId: '1', platform })
    for (const sourceId of ['2', '3', '4']) await addIssue(database, run, { sourceId })
    await addIssue(database, run, { sourceId: '5', severity: 'warning', code: 'source_changed', name: 'Zebra' })
    const first = await get(`/v2/migrations/${run.id}/issues?limit=3`)
    expect(first.items.map(({ item }: { item: { sourceId: string } }) => item.sourceId)).toEqual(['1', '2', '3'])
    expect(first.items[0]).toEqual({
      id: expect.any(String),
      requestId: run.id,
      phase: 'brands',
      component: 'brands',
      severity: 'failure',
      code: 'platform_refused',
      message: 'Brand 1 was refused.',
      remedy: 'Correct it.',
      item: { sourceId: '1', name: 'Brand 1', sku: null, path: null },
      destinationId: null,
      platform,
      state: 'open',
      reason: null,
      rule: null,
      attempts: 1,
      firstAt: expect.any(String),
      lastAt: expect.any(String),
      url: `${service.deps.settings.siteUrl}/app/help/issues/platform_refused`,
    })
    const second = await get(`/v2/migrations/${run.id}/issues?limit=3&cursor=${first.nextCursor}`)
    expect(second.items.map(({ item }: { item: { sourceId: string } }) => item.sourceId)).toEqual(['4', '5'])
    expect(second.nextCursor).toBeNull()
    const filtered = async (query: string) => (await get(`/v2/migrations/${run.id}/issues?${query}`)).items.length
    expect(await filtered('severity=warning')).toBe(1)
    expect(await filtered('text=zebra')).toBe(1)
    expect(await filtered('code=source_changed')).toBe(1)
    expect(await filtered('state=healed')).toBe(0)
    expect(await filtered('phase=brands&component=brands')).toBe(5)
    expect((await get(`/v2/migrations/${run.id}`)).failuresOpen).toBe(4)
  })

  test('differences say which field differs on which side', async () => {
    const { database } = service.deps
    const run = { organisationId: shop.id, id: await created({ mode: 'verify' }, token) }
    await addDifference(database, run, { kind: 'missing', sourceId: '1' })
    await addDifference(database, run, { kind: 'extra', destinationId: '9' })
    const first = await get(`/v2/migrations/${run.id}/differences?limit=1`)
    expect(first.items).toEqual([
      {
        id: expect.any(String),
        phase: 'brands',
        component: 'brands',
        kind: 'missing',
        item: { sourceId: '1', name: 'Acme', sku: null, path: null },
        destinationId: null,
        fields: [{ path: 'name', source: 'Acme', destination: null }],
        living: false,
        kept: false,
        changedMeanwhile: false,
        state: 'open',
        repairedBy: 'skip',
      },
    ])
    const second = await get(`/v2/migrations/${run.id}/differences?limit=1&cursor=${first.nextCursor}`)
    expect(second.items).toMatchObject([{ kind: 'extra', item: { sourceId: null }, destinationId: '9' }])
    expect(second.nextCursor).toBeNull()
    expect((await get(`/v2/migrations/${run.id}/differences?kind=different`)).items).toEqual([])
  })

  test('S23: a changed cursor is refused, and so is one of another list, filter or organisation', async () => {
    for (const label of ['one', 'two']) await created({ label }, token)
    const { nextCursor } = await get('/v2/migrations?limit=1')
    const [said, sealed] = nextCursor.split('.')
    const forged = Buffer.from(JSON.stringify({ createdMicros: '0', id: randomUUID() })).toString('base64url')
    const id = await created({}, token)
    for (const path of [
      `/v2/migrations?cursor=${forged}.${sealed}`,
      `/v2/migrations?cursor=${said}`,
      `/v2/migrations?cursor=x`,
      `/v2/migrations?status=queued&cursor=${nextCursor}`,
      `/v2/migrations/${id}/issues?cursor=${nextCursor}`,
      `/v2/migrations/${id}/differences?cursor=${nextCursor}`,
    ]) {
      const answer = await service.get(path, token)
      expect(answer.statusCode, path).toBe(422)
      expect(answer.json().errors).toHaveProperty('cursor')
    }
    expect((await service.get(`/v2/migrations?cursor=${nextCursor}`, owner)).statusCode).toBe(422)
    expect((await service.get(`/v2/migrations?limit=5&cursor=${nextCursor}`, token)).statusCode).toBe(200)
  })
})
