/**
 * What a store tells about its changes. Left out: that the platform delivers to port 443 only and may take a minute to
 * begin (the sandbox delivers to this machine, at once), and that hooks which nothing has happened to for 90 days are
 * switched off. How long the platform waits between repetitions is cut short here.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { SuccessRate } from '../../../sandbox/webhooks/success-rate.ts'
import { aShop, ask, BRANDS, metafield, PRODUCTS, product, type Shop, times, until } from './fact-shop.ts'

const HOOKS = '/v3/hooks'
const ELSEWHERE = 'http://localhost:1/'

// biome-ignore lint/suspicious/noExplicitAny: the data of every event has its own shape
type Letter = any

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** Somebody on this machine who takes letters and answers all of them with the same status. */
async function aReceiver(status = 200) {
  const letters: Letter[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    letters.push(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(status).end()
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)))
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((closed) => server.close(closed))
  })
  return { letters, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}

const subscribe = ({ made }: Shop, scope: string, destination: string) => made('POST', HOOKS, { scope, destination })
const scopes = (letters: Letter[]) => letters.map(({ scope }) => scope)

describe('events', () => {
  it.each([
    ...['product', 'sku', 'category', 'order', 'customer', 'customer/address', 'subscriber', 'shipment', 'priceList'],
    ...['channel', 'channel/1/settings', 'channel/1/page', 'channel/1/script', 'channel/1/theme/configuration'],
    ...['inventory/location', 'product/metafield', 'category/metafield', 'brand/metafield', 'order/metafield'],
  ])('can be asked for as store/%s/*', async (place) => {
    const shop = await aShop()
    expect((await shop.call('POST', HOOKS, { scope: `store/${place}/*`, destination: ELSEWHERE })).status).toBe(200)
  })

  it.each([
    'redirects',
    'option',
    'modifier',
    'channel/1/categoryTree',
  ])('can be asked for as store/%s/updated', async (place) => {
    const shop = await aShop()
    expect((await shop.call('POST', HOOKS, { scope: `store/${place}/updated`, destination: ELSEWHERE })).status).toBe(
      200,
    )
  })

  it.each([
    'brand',
    'coupon',
    'promotion',
    'widget',
    'review',
    'giftCertificate',
  ])('cannot be asked for about a %s', async (thing) => {
    const shop = await aShop()
    expect((await shop.call('POST', HOOKS, { scope: `store/${thing}/created`, destination: ELSEWHERE })).status).toBe(
      422,
    )
  })

  it('tell whom a change of the catalogue is about by its id alone, with store, producer, scope, hash and time', async () => {
    const shop = await aShop()
    const { letters, url } = await aReceiver()
    await subscribe(shop, 'store/product/created', url)
    const { id } = await shop.aProduct()
    await until(() => letters.length === 1)
    expect(letters).toEqual([
      {
        store_id: expect.any(String),
        producer: `stores/${shop.hash}`,
        scope: 'store/product/created',
        data: { type: 'product', id },
        hash: expect.any(String),
        created_at: expect.any(Number),
      },
    ])
  })

  it('are told for what is made by the API, so that a copy into a store calls every app that listens there', async () => {
    const shop = await aShop({ accounts: [{ name: 'another', token: 'another-secret' }] })
    const { letters, url } = await aReceiver()
    const theirs = { scope: 'store/*/metafield/*', destination: url }
    for (const scope of ['store/category/*', 'store/product/*', 'store/product/metafield/*'])
      await ask(`${shop.url}${HOOKS}`, 'POST', { ...theirs, scope }, { 'X-Auth-Token': 'another-secret' })
    await shop.made('POST', '/v3/catalog/trees/categories', [{ name: 'Shirts', tree_id: shop.treeId() }])
    const { id } = await shop.aProduct()
    await shop.made('POST', `${PRODUCTS}/${id}/metafields`, metafield('location'))
    await shop.made('PUT', `${PRODUCTS}/${id}`, { price: 5 })
    await shop.call('DELETE', `${PRODUCTS}/${id}`)
    const told = [
      'category/created',
      'product/created',
      'product/metafield/created',
      'product/updated',
      'product/deleted',
    ]
    await until(() => told.every((event) => scopes(letters).includes(`store/${event}`)))
  })

  it('are not told of a brand', async () => {
    const shop = await aShop()
    const { letters, url } = await aReceiver()
    await subscribe(shop, 'store/product/*', url)
    await subscribe(shop, 'store/category/*', url)
    const brand = await shop.made('POST', BRANDS, { name: 'Loom' })
    await shop.made('PUT', `${BRANDS}/${brand.id}`, { name: 'Mill' })
    // What comes after it in the store has come first here.
    await shop.aProduct()
    await until(() => letters.length > 0)
    expect(new Set(scopes(letters))).toEqual(new Set(['store/product/created']))
  })

  it('may come twice', async () => {
    const shop = await aShop({ switches: { webhook_duplicates: true } })
    const { letters, url } = await aReceiver()
    await subscribe(shop, 'store/product/created', url)
    await shop.aProduct()
    await until(() => letters.length === 2)
    expect(letters[0]).toEqual(letters[1])
  })
})

describe('hooks', () => {
  it('are seen by the client that made them and by no other', async () => {
    const shop = await aShop({ accounts: [{ name: 'another', token: 'another-secret' }] })
    await subscribe(shop, 'store/product/*', ELSEWHERE)
    const theirs = await ask(`${shop.url}${HOOKS}`, 'GET', undefined, { 'X-Auth-Token': 'another-secret' })
    expect([(await shop.rows(HOOKS)).length, theirs.body.data.length]).toEqual([1, 0])
  })

  it('of one scope are ten at most for a client, and one per destination', async () => {
    const shop = await aShop()
    const add = async (port: number) =>
      (await shop.call('POST', HOOKS, { scope: 'store/product/*', destination: `http://localhost:${port}/` })).status
    for (const port of times(10, Number)) expect(await add(port)).toBe(200)
    expect(await add(11)).toBe(422)
    await shop.call('DELETE', `${HOOKS}/${(await shop.rows(HOOKS))[9].id}`)
    expect([await add(1), await add(11)]).toEqual([422, 200])
  })

  it('are answered with themselves when they are deleted', async () => {
    const shop = await aShop()
    const hook = await subscribe(shop, 'store/product/*', ELSEWHERE)
    const { status, body } = await shop.call('DELETE', `${HOOKS}/${hook.id}`)
    expect([status, body.data]).toEqual([200, hook])
  })

  it('are told the same event again until it is taken, and switched off when it never is', async () => {
    const shop = await aShop({ switches: { webhook_retry_scale: 0 } })
    const { letters, url } = await aReceiver(503)
    const { id } = await subscribe(shop, 'store/product/created', url)
    await shop.made('POST', PRODUCTS, product())
    await until(async () => (await shop.rows(`${HOOKS}/${id}`)).is_active === false)
    expect(letters.length).toBeGreaterThan(1)
    expect(new Set(letters.map(({ hash }) => hash)).size).toBe(1)
  })

  it('are not told anything for three minutes when less than 90 % of 100 letters in two minutes are taken', () => {
    const SECOND_MS = 1_000
    const taking = new SuccessRate('client', ELSEWHERE)
    for (const n of times(100, Number)) taking.note(n <= 10 ? 'answered with 500' : undefined, n * SECOND_MS, 1)
    expect(taking.isBlocked(100 * SECOND_MS)).toBe(false)
    const refusing = new SuccessRate('client', ELSEWHERE)
    for (const n of times(100, Number)) refusing.note(n <= 11 ? 'answered with 500' : undefined, n * SECOND_MS, 1)
    expect([100, 279, 281].map((second) => refusing.isBlocked(second * SECOND_MS))).toEqual([true, true, false])
  })
})
