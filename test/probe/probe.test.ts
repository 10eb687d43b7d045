import { expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { compareObservations } from '../../src/probe/compare.ts'
import { reportOf } from '../../src/probe/report.ts'
import { aProbedStore, changedRows, prefix } from './a-probed-store.ts'
import { expectRemovedAfterKill } from './killed-probe.ts'

/** Tables that keep what was archived, and what belongs to it. */
const archive = /^(orders|order_.*|shipments?|.*_shipments?|shipment_.*|metafields|outbox)$/

test('a quick probe stays below 400 calls, changes nothing of the store and leaves archived orders only', async () => {
  const { probe, stateNow, admin } = await aProbedStore({ seed: 'tiny-catalogue' })
  const before = await stateNow()
  const result = await probe()
  expect(result.calls).toBeLessThanOrEqual(400)
  expect(result.after.left).toEqual([])
  const changed = changedRows(before, await stateNow())
  expect(changed.filter(({ table }) => !archive.test(table))).toEqual([])
  const orders = changed.filter(({ table }) => table === 'orders')
  expect(orders).toHaveLength(result.after.archived)
  expect(orders.every(({ row }) => row.is_deleted === true && JSON.stringify(row).includes(prefix))).toBe(true)
  const { requests } = (await admin('GET', '/requests?limit=1000')).body as { requests: { method: string; path: string }[] }
  expect(requests).toHaveLength(result.calls)
  // Ids of rows that were there: no write names one of them.
  const ids = new Set(Object.values(before).flatMap((rows) => rows.map(({ id }) => String(id))))
  const writes = requests.filter(({ method }) => method !== 'GET')
  expect(writes.filter(({ path }) => path.split('/').slice(3).some((part) => /^\d{3,}$/.test(part) && ids.has(part)))).toEqual([])
})

test('its report has shapes, and nothing of the store or the token', async () => {
  const { probe } = await aProbedStore({ seed: 'tiny-catalogue', name: 'source', token: 'secret' })
  const { observations } = await probe()
  const answers = reportOf(observations, { version: '0.0.0', date: '2026-01-02' })
  const names = answers.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const taken = answers.find(({ name }) => name === 'brand-again')
  expect(taken).toMatchObject({
    class: 'recorded',
    given: [{ method: 'POST', path: '/v3/catalog/brands', as: 'brand' }],
    request: { method: 'POST', path: '/v3/catalog/brands' },
    response: { status: 409, body: { '': 'object', title: 'text' }, whole: true },
  })
  // Whatever an answer held: names of the shop, ids, dates, the number of the run.
  const values = observations.flatMap(({ answers: given }) => given.flatMap(({ body }) => textsIn(body)))
  const shapes = JSON.stringify(answers.map(({ shows, response }) => [shows, response]))
  const own = /^(text|object|list|number|boolean|null|)$/
  expect([...new Set(values)].filter((value) => value.length > 12 && !own.test(value) && shapes.includes(value))).toEqual([])
  expect(JSON.stringify(answers)).not.toContain('secret')
})

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

test('the same store answers the same, and another profile otherwise', async () => {
  const [documented, again, seen] = await Promise.all([
    aProbedStore({ profile: 'documented' }),
    aProbedStore({ profile: 'documented' }),
    aProbedStore({ profile: 'as-seen' }),
  ])
  const [one, same, other] = await Promise.all([documented.probe(), again.probe(), seen.probe()])
  expect(compareObservations(one.observations, same.observations)).toEqual([])
  const differences = compareObservations(one.observations, other.observations)
  expect(differences.find(({ key }) => key === 'order: stock 0')?.differences).toContain('HTTP 201, not 409')
  const verdict = ({ observations }: typeof one) => observations.find(({ step }) => step.key === 'order: stock 0')?.verdict
  expect([verdict(one), verdict(other)]).toEqual(['as documented', 'as seen'])
})

test('an interrupted probe removes what it made, and reports what it found', async () => {
  const { probe, stateNow } = await aProbedStore()
  const before = await stateNow()
  const interrupt = new AbortController()
  const result = await probe({
    signal: interrupt.signal,
    onProgress: ({ now }) => {
      if (now === 'customer: create') interrupt.abort(new Error('ended by SIGINT'))
    },
  })
  expect(result).toMatchObject({ interrupted: true, after: { left: [] } })
  expect(result.observations.length).toBeGreaterThan(20)
  expect(changedRows(before, await stateNow())).toEqual([])
})

test.each([1, 2, 3])('killed at a random moment, it leaves nothing behind after the next start (%i)', async () => {
  await expectRemovedAfterKill({ quick: true, moment: Math.random() })
})

test('a store with orders, with too many products, with a wrong hash or token, or without a scope is refused with the remedy', async () => {
  const [shop, catalogue, narrow, empty] = await Promise.all([
    aProbedStore({ seed: 'tiny' }),
    aProbedStore({ seed: 'awkward' }),
    aProbedStore({ scopes: ['store_v2_information_read_only', 'store_v2_products'] }),
    aProbedStore(),
  ])
  await expect(shop.probe()).rejects.toThrow(/has orders.*trial store/)
  await expect(narrow.probe()).rejects.toThrow(/may not read \/v2\/orders.*scopes/)
  void catalogue
  const store = { apiUrl: empty.sandbox.url, hash: 'source', token: 'secret', requestTimeoutMs: 5_000 }
  await expect(empty.probe({ store: { ...store, token: 'wrong' } })).rejects.toThrow(/did not accept the token.*API account/)
  await expect(empty.probe({ store: { ...store, hash: 'other' } })).rejects.toThrow(/store hash/)
  await expect(empty.probe({ store: { ...store, hash: 'store-source' } })).rejects.toThrow(/store hash/)
  for (const { admin } of [shop, narrow, empty]) {
    const { counts } = (await admin('GET', '/requests')).body as { counts: Record<string, number> }
    expect(Object.keys(counts)).toEqual(['GET'])
  }
  void systemClock
})
