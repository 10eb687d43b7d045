import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/db/core/database.ts'
import { type BeforeImage, commitIntents, settledCreations, settleIntents } from '../../src/db/ledger/intents.ts'
import { claimRun, LeaseLost } from '../../src/db/ledger/leases.ts'
import { createDatabase } from '../harness/postgres.ts'
import { aRun } from './a-run.ts'

const waits = { requestTimeoutMs: 1_000, settleMs: 0, leaseMs: 6_000 }
let database: Database
let drop: () => Promise<void>
let run: Awaited<ReturnType<typeof aRun>>
let epoch: number
beforeAll(async () => {
  const made = await createDatabase()
  drop = made.drop
  database = openDatabase(made.url)
})
afterAll(async () => {
  await database?.destroy()
  await drop?.()
})
beforeEach(async () => {
  run = await aRun(database)
  epoch = (await claimRun(database, run.runId, 'first', waits)).epoch
})

const named = { name: 'Acme', sku: null, parent: null }
const overwritten = (body: object): BeforeImage[] => [{ destinationId: '7', body, sealed: null, item: named }]

function overwrite(before: BeforeImage[]): Promise<number[]> {
  const item = { sourceId: '1', rootId: '1', parentId: '', keys: [], fingerprint: 'print' }
  const intent = { scope: 'store', component: 'brands', pass: 'brands', items: [item], baseline: null }
  const update = { intent: { ...intent, action: 'update' as const }, before }
  return commitIntents(database, { id: run.runId, epoch }, run.pair, [update])
}

async function kept(): Promise<{ intents: number; images: unknown[] }> {
  const intents = await sql`select 1 from intents where run_id = ${run.runId}`.execute(database)
  const images = await sql<{ body: unknown }>`
    select body from before_images where run_id = ${run.runId} and item ->> 'name' = 'Acme'`.execute(database)
  return { intents: intents.rows.length, images: images.rows.map(({ body }) => body) }
}

test('B1, D6: an intent and what it will overwrite are committed together, and a replaced process commits neither', async () => {
  await overwrite(overwritten({ name: 'Acme' }))
  expect(await kept()).toEqual({ intents: 1, images: [{ name: 'Acme' }] })
  await claimRun(database, run.runId, 'second', waits)
  const late = overwrite([{ destinationId: '8', body: { name: 'Late' }, sealed: null, item: named }])
  await expect(late).rejects.toThrow(LeaseLost)
  expect(await kept()).toEqual({ intents: 1, images: [{ name: 'Acme' }] })
})

test('D6: the before-image of an item that a run overwrites twice is its first state', async () => {
  await overwrite(overwritten({ name: 'Acme' }))
  await overwrite(overwritten({ name: 'Written by us' }))
  expect(await kept()).toEqual({ intents: 2, images: [{ name: 'Acme' }] })
})

test('G10: of creations that never got an answer, the last one sent and all that was there before any of them are remembered, and nothing else', async () => {
  const of = { scope: 'store', component: 'banners' }
  const send = async (
    action: 'create' | 'update',
    sourceId: string,
    fingerprint: string,
    baseline: string[] | null,
  ) => {
    const items = [{ sourceId, rootId: sourceId, parentId: '', keys: [], fingerprint }]
    const intent = { ...of, pass: 'banners', action, items, baseline }
    return commitIntents(database, { id: run.runId, epoch }, run.pair, [{ intent, before: [] }])
  }
  const settle = async (ids: number[], watched = true) =>
    database.transaction().execute((tx) => settleIntents(tx, ids, { watched }))
  await settle(await send('create', '1', 'first', ['7']))
  await settle(await send('create', '1', 'again', ['8']))
  await settle(await send('update', '2', 'changed', ['9']))
  await settle(await send('create', '3', 'unwatched', ['10']), false)
  const { items, older } = await settledCreations(database, run.pair, of)
  expect([...items].map(([id, { fingerprint }]) => [id, fingerprint])).toEqual([['1', 'again']])
  expect([...older].sort()).toEqual(['7', '8'])
  expect((await kept()).intents).toBe(0)
})

test('B1: intents that are committed together get their ids in their order', async () => {
  const intentOf = (component: string) => ({
    intent: { scope: 'store', component, pass: component, action: 'update' as const, items: [], baseline: null },
    before: overwritten({ name: component }),
  })
  const components = ['pages', 'brands', 'coupons']
  const ids = await commitIntents(database, { id: run.runId, epoch }, run.pair, components.map(intentOf))
  const { rows } = await sql<{ id: number; component: string }>`
    select id, component from intents where run_id = ${run.runId} order by id`.execute(database)
  expect(rows).toEqual(components.map((component, at) => ({ id: ids[at], component })))
  expect((await kept()).images).toHaveLength(3)
})
