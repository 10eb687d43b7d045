import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { InTransaction } from '../../src/db/core/database.ts'
import { requestPruneConfirmation } from '../../src/db/ledger/prune.ts'
import { beginWaiting, endWaiting } from '../../src/db/ledger/waiting.ts'
import { completeReviewed, finishCancelled, pauseQueued, requeue } from '../../src/db/runs/run-controls.ts'
import { leaveInProgress } from '../../src/db/runs/run-life.ts'
import { lockRun } from '../../src/db/runs/runs.ts'
import { takeOverdue } from '../../src/db/side-effects/side-effects.ts'
import { anOrganisation, aService, type Organisation, type Service } from '../api/a-service.ts'
import { addIssue, aQueuedRun, bringTo } from '../api/migration-rows.ts'
import { aRunThat, aWorkingRun, eventsOf } from './run-states.ts'

let service: Service
let organisation: Organisation
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())
beforeEach(async () => {
  organisation = await anOrganisation(service)
})

const inTransaction = <Result>(work: (tx: InTransaction) => Promise<Result>) =>
  service.deps.database.transaction().execute(work)
const events = () => eventsOf(service, organisation)
const kinds = async () => (await events()).map(({ kind }) => kind)
const locked = async (tx: InTransaction, id: string) => (await lockRun(tx, organisation.id, id))!

test.each([
  ['completed', 'migration.finished'],
  ['failed', 'migration.finished'],
  ['cancelled', 'migration.finished'],
  ['partial_completed', 'migration.needs_review'],
] as const)('S26: a run that ends as %s is the event %s, with ids, states and counts', async (status, kind) => {
  const failure = status === 'failed' ? { code: 'crash_loop', message: 'It was tried five times.' } : undefined
  const id = await aRunThat(service, organisation, status, failure)
  const [event, ...more] = await events()
  expect(more).toEqual([])
  expect(event).toMatchObject({
    ...{ kind, runId: id },
    data: { mode: 'full', status, source: 'store1', destination: 'store2', failuresOpen: 0, counters: { done: 0 } },
  })
  expect(Object.keys(event!.data).toSorted()).toEqual(
    ['counters', 'destination', 'failuresOpen', 'mode', 'source', 'status', 'summaryLine'].toSorted(),
  )
})

test('a comparison that found differences needs review, although it is complete', async () => {
  const id = await aWorkingRun(service, organisation)
  await sql`update runs set mode = 'verify' where id = ${id}`.execute(service.deps.database)
  const run = { organisationId: organisation.id, id }
  await addIssue(service.deps.database, run, { sourceId: '7' })
  await inTransaction((tx) => leaveInProgress(tx, run, 'completed'))
  expect(await kinds()).toEqual(['migration.needs_review'])
})

test('an event is written in the transaction of its change: without the one there is not the other', async () => {
  const id = await aWorkingRun(service, organisation)
  const failing = inTransaction(async (tx) => {
    await leaveInProgress(tx, { id, organisationId: organisation.id }, 'completed')
    throw new Error('The commit fails.')
  })
  await expect(failing).rejects.toThrow('The commit fails.')
  expect(await events()).toEqual([])
})

test('a pause that a person requested is no event; one for which a person has to act is', async () => {
  await aRunThat(service, organisation, 'paused')
  const queued = await aQueuedRun(service, organisation)
  await inTransaction(async (tx) => pauseQueued(tx, await locked(tx, queued)))
  expect(await events()).toEqual([])
  const message = 'The store does not accept its token. Connect it again, then resume.'
  await aRunThat(service, organisation, 'paused', { code: 'credentials', message })
  expect(await events()).toMatchObject([{ kind: 'migration.paused', data: { status: 'paused' } }])
  expect((await events())[0]?.data.summaryLine).toContain(message)
})

test('a replace that has to ask waits for a confirmation, and is no other event', async () => {
  const id = await aWorkingRun(service, organisation)
  await inTransaction(async (tx) => {
    await requestPruneConfirmation(tx, id, 'digest', 40)
    await leaveInProgress(tx, { id, organisationId: organisation.id }, 'paused')
  })
  expect(await kinds()).toEqual(['migration.waiting_for_confirmation'])
})

test('a run that waits for a store is one event for each outage that lasts for some minutes', async () => {
  const { database } = service.deps
  const id = await aWorkingRun(service, organisation)
  const wait = () =>
    inTransaction((tx) => beginWaiting(tx, id, { waitingFor: 'destination', waitingStore: 'store2' }, [15]))
  const later = (minutes: number) =>
    sql`update runs set waiting_since = waiting_since - ${minutes} * interval '1 minute' where id = ${id}`.execute(
      database,
    )
  await wait()
  await later(2)
  await wait()
  expect(await events()).toEqual([])
  await later(1)
  await wait()
  await wait()
  expect(await events()).toMatchObject([
    { kind: 'migration.waiting_for_store', runId: id, data: { status: 'in_progress', counters: { done: 0 } } },
  ])
  expect((await events())[0]?.data.summaryLine).toMatch(/^Waiting for the destination store store2 since .* UTC\.$/)
  await inTransaction((tx) => endWaiting(tx, id))
  await wait()
  await later(4)
  await wait()
  expect(await kinds()).toEqual(['migration.waiting_for_store', 'migration.waiting_for_store'])
})

test('each ending of a run is an event: after its review, and again when it is healed or canceled', async () => {
  const id = await aRunThat(service, organisation, 'partial_completed')
  await inTransaction(async (tx) => requeue(tx, await locked(tx, id)))
  await bringTo(service, organisation.id, id, 'in_progress')
  await inTransaction((tx) => leaveInProgress(tx, { id, organisationId: organisation.id }, 'partial_completed'))
  await inTransaction(async (tx) => completeReviewed(tx, await locked(tx, id)))
  const queued = await aQueuedRun(service, organisation)
  await inTransaction(async (tx) => finishCancelled(tx, await locked(tx, queued)))
  expect((await events()).map(({ kind, data }) => `${kind} ${data.status}`)).toEqual([
    'migration.needs_review partial_completed',
    'migration.needs_review partial_completed',
    'migration.finished completed',
    'migration.finished cancelled',
  ])
})

test('D5: mails that are still off and stock that was not given back are one event each, with the store', async () => {
  const id = await aRunThat(service, organisation, 'completed')
  const leave = (kind: string, subject: string) =>
    sql`
    insert into side_effects (platform, store_hash, kind, component, subject, organisation_id, destination_store_id, run_id,
      desired, since, due_at, tried_at)
    select 'BC', 'store2', ${kind}, 'orders', ${subject}, ${organisation.id}, destination_store_id, ${id}, '{}',
      now() - interval '20 minutes', now() - interval '20 minutes', now() - interval '20 minutes'
    from runs where id = ${id}`.execute(service.deps.database)
  await leave('mail', 'order_status')
  await leave('mail', 'invoice')
  await leave('stock', '')
  await sql`update runs set finished_at = now() - interval '20 minutes', updated_at = now() - interval '20 minutes',
    last_progress_at = now() - interval '20 minutes' where id = ${id}`.execute(service.deps.database)
  for (let time = 0; time < 2; time += 1) await inTransaction((tx) => takeOverdue(tx, 100))
  const about = (await events()).filter(({ kind }) => kind.startsWith('store.'))
  expect(about.toSorted((one, other) => (one.kind < other.kind ? -1 : 1))).toEqual([
    {
      ...{ kind: 'store.mails_off', runId: id },
      data: { store: 'store2', summaryLine: 'Emails about orders are still switched off at the store store2.' },
    },
    {
      ...{ kind: 'store.stock_not_restored', runId: id },
      data: {
        ...{ store: 'store2' },
        summaryLine: 'Stock that copied orders took has not been given back at the store store2.',
      },
    },
  ])
})
