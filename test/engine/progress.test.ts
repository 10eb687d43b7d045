import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { until } from '../harness/until.ts'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'

/**
 * One migration with everything that can happen to one: it waits, works, is paused and resumed, waits for confirmation, deletes,
 * ends with a failed item, and is healed. Every answer of the API on the way is kept.
 */
let world: World
const readings: { detail: MigrationDetail; readSource: string | null }[] = []
const paused: MigrationDetail[] = []
const refused = { kind: 'error_before_applying', status: 422, method: 'POST', path: '/v3/catalog/products$' } as const

async function read(id: string): Promise<MigrationDetail> {
  const { body, headers } = await world.api<MigrationDetail>('GET', `/v2/migrations/${id}`)
  readings.push({ detail: body, readSource: headers.get('x-read-source') })
  return body
}

const reads = (id: string, what: string, holds: (detail: MigrationDetail) => boolean) =>
  until(what, async () => {
    const detail = await read(id)
    // A token may send 600 requests a minute.
    await new Promise((resolve) => setTimeout(resolve, 100))
    return holds(detail) && detail
  })

const ask = (id: string, what: string, body?: object) => world.api('POST', `/v2/migrations/${id}/${what}`, body)

beforeAll(async () => {
  world = await startWorld({ latencyMs: 40 })
  const source = (await world.state('source')).products ?? []
  const plain = source.find(({ name }) => /^[\w ]+$/.test(String(name)))
  await world.fault('destination', { ...refused, body: `"name":"${plain?.name}"`, times: null })
  for (const name of ['Only There One', 'Only There Two'])
    await callStore(world, 'destination', 'POST', '/v3/catalog/brands', { name })

  // Prices and discounts name the product that fails, and would fail with it.
  const entities = ['categories', 'brands', 'products']
  const stores = { source: world.address('source').hash, destination: world.address('destination').hash }
  const settings = { ...stores, entities, conflictStrategy: 'replace', pruneLimitItems: 1 }
  const created = await world.api<MigrationDetail>('POST', '/v2/migrations', settings)
  readings.push({ detail: created.body, readSource: null })
  const id = created.body.requestId
  await reads(id, 'items are done', ({ progress }) => progress.done > 3)
  await ask(id, 'pause')
  paused.push(await reads(id, 'it is paused', ({ status }) => status === 'paused'))
  await ask(id, 'resume')
  await reads(id, 'it is under way again', ({ status }) => status === 'in_progress')
  paused.push(await reads(id, 'it asks before it deletes', ({ status }) => status === 'paused'))
  const { body } = await world.api<{ prune: { confirmPrune: string } }>('GET', `/v2/migrations/${id}/request`)
  await ask(id, 'resume', { confirmPrune: body.prune.confirmPrune })
  await reads(id, 'it has ended', ({ status }) => status === 'partial_completed')
  await world.clearFaults('destination')
  await ask(id, 'heal')
  await reads(id, 'it is healed', ({ status }) => status === 'completed')
})
afterAll(() => world?.stop())

const all = () => readings.map(({ detail }) => detail)
const live = () => all().filter(({ status }) => ['queued', 'in_progress', 'paused'].includes(status))
const ended = () => all().filter(({ status }) => status === 'partial_completed' || status === 'completed')
const orders = (values: number[]) => [values, values.toSorted((a, b) => a - b)]
const time = (text: string) => new Date(text).getTime()

describe('progress', () => {
  test('starts at zero, without a phase, at the moment the migration was created', () => {
    const [first] = all()
    expect(first?.progress).toMatchObject({ phase: '', done: 0, discovered: 0, percent: 0, ratePerSec: 0 })
    expect(first?.progress.lastProgressAt).toBe(first?.timestamps.created)
    expect(first?.timestamps).not.toHaveProperty('started')
  })

  test('goes through the phases in their order, and stays at the last one', () => {
    const order = ['', ...(all()[0]?.phases.map(({ key }) => key) ?? [])]
    const [seen, sorted] = orders(all().map(({ progress }) => order.indexOf(progress.phase)))
    expect(seen).toEqual(sorted)
    expect(all().at(-1)?.progress.phase).toBe(order.at(-1))
  })

  test('never decreases, and is 100 only after the migration has finished', () => {
    const [seen, sorted] = orders(live().map(({ progress }) => progress.percent))
    expect(seen).toEqual(sorted)
    for (const { progress } of live()) expect(progress.percent).toBeLessThan(100)
    for (const { progress } of ended()) expect(progress.percent).toBe(100)
    const [items, grown] = orders(all().map(({ progress }) => progress.discovered))
    expect(items).toEqual(grown)
  })

  test('includes the time an item was last done, which advances while the run works and heals', () => {
    const [seen, sorted] = orders(all().map(({ progress }) => time(progress.lastProgressAt)))
    expect(seen).toEqual(sorted)
    expect(new Set(seen).size).toBeGreaterThan(4)
    const [failed, healed] = [ended()[0], ended().at(-1)]
    expect(time(healed?.progress.lastProgressAt ?? '')).toBeGreaterThan(time(failed?.progress.lastProgressAt ?? ''))
    for (const { progress, timestamps } of all())
      expect(time(timestamps.updated)).toBeGreaterThanOrEqual(time(progress.lastProgressAt))
  })

  test('estimates whole seconds, never fewer for the run than for the phase, and none only after the end', () => {
    for (const { progress, forecast } of live()) if (forecast) expect(progress.etaSeconds).toBeGreaterThan(0)
    for (const { progress } of all()) {
      expect(Number.isInteger(progress.etaSeconds) && progress.etaSeconds >= 0).toBe(true)
      expect(progress.overallEtaSeconds).toBeGreaterThanOrEqual(progress.etaSeconds)
    }
    for (const { progress } of ended()) expect(progress).toMatchObject({ etaSeconds: 0, overallEtaSeconds: 0 })
    const waiting = all().filter(({ progress, forecast }) => progress.phase === '' && forecast)
    for (const { progress, forecast } of waiting) expect(progress.overallEtaSeconds).toBe(forecast?.etaSeconds)
    expect(live().some(({ progress }) => progress.ratePerSec > 0)).toBe(true)
  })
})

describe('counters and phases', () => {
  test('account for every item at every moment', () => {
    for (const { counters, progress, phases } of all()) {
      const { done, inProgress, failed, skipped, cancelled } = counters
      expect(done + inProgress + failed + skipped + cancelled).toBe(progress.discovered)
      expect(done + failed + skipped + cancelled).toBe(progress.done)
      const parts = phases.flatMap(({ components }) => components)
      expect(parts.reduce((sum, { discovered }) => sum + discovered, 0)).toBe(progress.discovered)
      for (const phase of phases) {
        const sum = (of: (one: (typeof parts)[number]) => number) =>
          phase.components.reduce((total, one) => total + of(one), 0)
        expect(phase.created + phase.updated).toBe(sum(({ success }) => success))
        expect(phase.total).toBe(sum(({ total }) => total))
        expect(phase.pruned).toBe(sum(({ pruned }) => pruned))
      }
      for (const { total, discovered } of parts) expect(total).toBeGreaterThanOrEqual(discovered)
    }
  })

  test('count deletions in their phase and nowhere else', () => {
    const before = paused.at(-1)
    const [after] = ended()
    const brands = (detail?: MigrationDetail) => detail?.phases.find(({ key }) => key === 'brands')
    expect([brands(before)?.pruned, brands(after)?.pruned]).toEqual([0, 2])
    expect(after?.progress.discovered).toBe(before?.progress.discovered)
    expect(after?.counters).toEqual(before?.counters)
  })

  test('move an item from failed to done when it is healed', () => {
    const [failed, healed] = [ended()[0], ended().at(-1)]
    expect(failed).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
    expect(failed?.counters.failed).toBeGreaterThan(0)
    expect(healed).toMatchObject({ status: 'completed', failuresOpen: 0, counters: { failed: 0, inProgress: 0 } })
    expect(healed?.counters.done).toBe((failed?.counters.done ?? 0) + (failed?.counters.failed ?? 0))
  })
})

test('a migration has one start time, which never changes', () => {
  const started = all().flatMap(({ timestamps }) => timestamps.started ?? [])
  expect(new Set(started).size).toBe(1)
})

test('the summary line gives the status, the percentage, open failures and, at the end, what was copied and deleted', () => {
  const lines = (status: string) => all().filter((one) => one.status === status)
  for (const { summaryLine, progress } of lines('queued'))
    expect(summaryLine).toMatch(
      progress.percent > 0 ? /^Waiting to (continue|try 1 item again)\.$/ : /^Waiting to start\.$/,
    )
  const percentOf = ({ progress }: MigrationDetail) => Math.floor(progress.percent)
  for (const detail of lines('in_progress'))
    expect([
      `Copying, ${percentOf(detail)}% done${detail.failuresOpen ? '; 1 item needs review' : ''}.`,
      `Trying ${detail.failuresOpen ? '1 item again' : 'again what could not be done'}, ${percentOf(detail)}% done.`,
      `Trying ${detail.failuresOpen ? '1 item again' : 'again what could not be done'}.`,
    ]).toContain(detail.summaryLine)
  const heals = all().findIndex(({ status }) => status === 'partial_completed')
  const again = all()
    .slice(heals + 1, -1)
    .map(({ summaryLine }) => summaryLine)
  expect(
    again.every((line) => /^(Waiting to try|Trying)\b/.test(line)),
    again.join('\n'),
  ).toBe(true)
  for (const detail of lines('paused'))
    expect(detail.summaryLine).toBe(
      `Paused at ${percentOf(detail)}%${detail.failuresOpen ? '; 1 item needs review' : ''}.`,
    )
  expect(paused.map(({ failuresOpen }) => failuresOpen)).toEqual([0, 1])
  const [failed, healed] = [ended()[0]?.summaryLine, ended().at(-1)?.summaryLine]
  expect(failed).toMatch(/^Copied .*4 brands(,| and) 11 products\b.*; 2 items were deleted; 1 item needs review\.$/)
  expect(healed).toMatch(/^Copied .*4 brands(,| and) 12 products\b.*; 2 items were deleted\.$/)
})

test('F3: reads are answered by the engine until the migration ends and from PostgreSQL afterwards, in one shape', () => {
  for (const { detail, readSource } of readings.slice(1))
    expect(readSource).toBe(live().includes(detail) ? 'engine' : 'postgres')
  const keys = new Set(all().map((detail) => Object.keys(detail).sort().join()))
  expect(keys.size).toBe(1)
})
