import { expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { compareObservations } from '../../src/probe/compare.ts'
import { reportOf } from '../../src/probe/report.ts'
import { rush } from '../../src/probe/rush.ts'
import { aProbedStore, leftBehind, prefix } from './a-probed-store.ts'
import { expectRemovedAfterKill } from './killed-probe.ts'

interface Log {
  requests: { method: string; path: string }[]
  counts: Record<string, number>
}

test('a quick probe takes at most 400 calls, writes nothing of the shop and leaves archived orders only', async () => {
  const { probe, stateNow, admin } = await aProbedStore({ seed: 'tiny-catalogue' })
  const before = await stateNow()
  const result = await probe()
  expect(result.calls).toBeLessThanOrEqual(400)
  expect(result.notTried).toEqual([])
  expect(result.after.left).toEqual([])
  const after = await stateNow()
  expect(leftBehind(before, after)).toEqual([])
  const orders = after.orders ?? []
  expect(orders).toHaveLength(result.after.archived)
  expect(orders.every((row) => row.is_deleted === true && JSON.stringify(row).includes(prefix))).toBe(true)
  const { requests } = (await admin('GET', '/requests?limit=1000')).body as Log
  expect(requests).toHaveLength(result.calls)
  const ofTheShop = new Set(Object.values(before).flatMap((rows) => rows.map(({ id }) => String(id))))
  const outside = requests
    .filter(({ method }) => method !== 'GET')
    .filter(({ path }) => path.split('/').some((part) => /^\d{4,}$/.test(part) && ofTheShop.has(part)))
  expect(outside).toEqual([])
})

test('its report has shapes, and no value that the store answered', async () => {
  const { probe } = await aProbedStore({ seed: 'tiny-catalogue' })
  const { observations } = await probe()
  const answers = reportOf(observations, { version: '0.0.0', date: '2026-01-02' })
  const names = answers.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(answers.find(({ name }) => name === 'brand-again')).toMatchObject({
    shows: expect.stringMatching(/HTTP 409 ".+", as documented\.$/),
    source: { probe: '0.0.0' },
    class: 'recorded',
    given: [{ method: 'POST', path: '/v3/catalog/brands', as: 'brand' }],
    request: { method: 'POST', path: '/v3/catalog/brands', body: { name: 'sfprobe-report-brand' } },
    response: { status: 409, body: { '': 'object', title: 'text' }, whole: true },
  })
  const values = observations
    .flatMap((observation) => observation.answers.filter(({ httpStatus }) => httpStatus < 300))
    .flatMap(({ body }) => textsIn(body))
    .filter((value) => value.length > 12)
  expect(values.length).toBeGreaterThan(500)
  const shapes = JSON.stringify(answers.map(({ shows, response }) => [shows, response]))
  expect([...new Set(values)].filter((value) => shapes.includes(value))).toEqual([])
  expect(JSON.stringify(answers)).not.toContain('secret')
})

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

test('two stores of one profile answer the same, and one of another profile does not', async () => {
  const stores = await Promise.all(['documented', 'documented', 'as-seen'].map((profile) => aProbedStore({ profile })))
  const results = await Promise.all(stores.map(({ probe }) => probe()))
  const [one = [], same = [], other = []] = results.map(({ observations }) => observations)
  expect(compareObservations(one, same)).toEqual([])
  const differences = compareObservations(one, other)
  const soldOut = 'order: stock 0'
  expect(differences.find(({ key }) => key === soldOut)?.differences).toContain('HTTP 200, not 409')
  const verdictOf = (observations: typeof one) => observations.find(({ step }) => step.key === soldOut)?.verdict
  expect([verdictOf(one), verdictOf(other)]).toEqual(['as documented', 'as seen'])
})

test('it sees how a store refuses what is beyond its quota, and not where there is none', async () => {
  const stores = [{ quota: { requests: 40, windowMs: 200 } }, { plan: 'unlimited' as const }]
  const answers = await Promise.all(
    stores.map(async (store) => {
      const { sandbox, hash } = await aProbedStore(store)
      const probed = { apiUrl: sandbox.url, hash, token: 'secret', requestTimeoutMs: 5_000 }
      const signal = new AbortController().signal
      return rush(probed, { clock: systemClock, path: '/v2/time', signal, onCall: () => undefined })
    }),
  )
  expect(answers.map((answer) => answer?.httpStatus)).toEqual([429, undefined])
})

test('an interrupted probe removes what it made, and says what it found until then', async () => {
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
  expect(leftBehind(before, await stateNow())).toEqual([])
})

test.each([1, 2, 3])('killed at a random moment, it leaves nothing behind after the next start (%i)', async () => {
  await expectRemovedAfterKill({ quick: true, moment: Math.random() })
})

test('a store with orders or many products, and a wrong hash, token or scope, is refused with the remedy and not written to', async () => {
  const [shop, many, narrow, empty] = await Promise.all([
    aProbedStore({ seed: 'tiny' }),
    aProbedStore(),
    aProbedStore({ scopes: ['store_v2_information_read_only', 'store_v2_products'] }),
    aProbedStore(),
  ])
  const product = (at: number) => ({ name: `Lamp ${at}`, type: 'physical', weight: 1, price: 10 })
  await Promise.all(Array.from({ length: 51 }, (_none, at) => many.call('POST', '/v3/catalog/products', product(at))))
  await many.admin('DELETE', '/requests')
  await expect(shop.probe()).rejects.toThrow(/has orders.*trial store/)
  await expect(many.probe()).rejects.toThrow(/more than 50 products.*trial store/)
  await expect(narrow.probe()).rejects.toThrow(/may not read \/v2\/orders.*scopes/)
  const store = { apiUrl: empty.sandbox.url, hash: 'source', token: 'secret', requestTimeoutMs: 5_000 }
  await expect(empty.probe({ store: { ...store, token: 'wrong' } })).rejects.toThrow(
    /did not accept the token.*API account/,
  )
  await expect(empty.probe({ store: { ...store, hash: 'other' } })).rejects.toThrow(/store hash/)
  await expect(empty.probe({ store: { ...store, hash: 'store-source' } })).rejects.toThrow(/store hash.*"store-"/)
  for (const { admin } of [shop, many, narrow, empty]) {
    const { counts } = (await admin('GET', '/requests')).body as Log
    expect(Object.keys(counts)).toEqual(['GET'])
  }
})
