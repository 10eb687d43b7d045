import { createHmac } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { Protection } from '../../src/engine/core/protection.ts'
import {
  type ErasedShopper,
  eraseShopper,
  type ShopperToErase,
} from '../../src/operations/administration/erase-shopper.ts'
import { cleanIndex } from '../../src/search/clean-index.ts'
import { indexSome } from '../../src/search/indexer.ts'
import { openSqliteStore } from '../../src/search/sqlite-store.ts'
import { longTest } from '../harness/long-form.ts'
import { workerGround } from '../harness/worker-ground.ts'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { aWorldWithBrands, heldRun, letGo } from './held-run.ts'
import { tablesContaining } from './tables-containing.ts'
import { waitUntilChildKnows } from './wait-until-child-knows.ts'

const entities = [
  ...['categories', 'products', 'customer-groups', 'customer-attributes', 'customers', 'subscribers', 'wishlists'],
  ...['orders', 'scripts'],
]
const replacing = {
  entities: ['customers', 'wishlists'],
  conflictStrategy: 'replace',
  pruneLive: ['wishlists', 'customer-addresses', 'customer-metafields'],
}
/** Everything that the stores know of the shopper. Nothing else may contain one of these texts. */
const jane = {
  email: 'Jane.Planted@mail.example',
  first_name: 'Janeplanted',
  last_name: 'Plantedson',
  phone: '+44 7700 900123',
  street: '7 Planted Passage',
  attribute: 'planted shoe size',
  wishlist: 'Planted wishes',
  message: 'Ring the planted bell twice',
  notes: 'Planted note of the staff',
  script: 'planted-script-key',
}
/** Whose saved original has to survive. */
const tom = { email: 'tom@mail.example', first_name: 'Tomkept', last_name: 'Keptson', phone: '+44 7700 900999' }
/** Her accounts are deleted at both stores before she is erased. */
const ann = { email: 'ann@mail.example', first_name: 'Anngone', last_name: 'Goneson', phone: '+44 7700 900555' }
const texts = [...Object.values(jane), jane.email.toLowerCase()]

let world: World
/** It has read her second wishlist, and waits for a confirmation. */
let waiting: string
let directory: string
let index: ReturnType<typeof openSqliteStore>
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sf-erase-'))
  index = openSqliteStore(join(directory, 'search.sqlite'), systemClock)
  world = await startWorld({ entities })
  await plant()
  // Nothing of hers is stored in clear unless a person writes it.
  await sql`
    update stores set label = ${`Shop that ${jane.email} likes`}
    where organisation_id = ${world.organisationId} and label = 'source'`.execute(world.database)
  await world.complete({ label: `asked for by ${jane.email}` })
  await overwriteAndDelete()
  waiting = await aRunThatWaits()
}, 400_000)
afterAll(async () => {
  await world?.stop()
  await index?.close()
  rmSync(directory, { recursive: true, force: true })
})

const there = (method: string, path: string, body?: unknown) =>
  callStore<{ id: number }[]>(world, 'destination', method, path, body)
const here = (method: string, path: string, body?: unknown) =>
  callStore<{ id: number }[]>(world, 'source', method, path, body)

async function customerAt(side: 'source' | 'destination', { email }: { email: string }): Promise<number> {
  const { customers = [] } = await world.state(side)
  return Number(customers.find((row) => String(row.email).toLowerCase() === email.toLowerCase())?.id)
}

async function plant(): Promise<void> {
  const [attribute] = await here('POST', '/v3/customers/attributes', [{ name: 'Shoes', type: 'string' }])
  const { email, first_name, last_name, phone } = jane
  const [customer] = await here('POST', '/v3/customers', [{ email, first_name, last_name, phone }, tom, ann])
  const customer_id = customer?.id ?? 0
  const place = { address1: jane.street, city: 'Austin', state_or_province: 'Texas', postal_code: '78759' }
  await here('POST', '/v3/customers/addresses', [{ customer_id, first_name, last_name, ...place, country_code: 'US' }])
  await here('PUT', '/v3/customers/attribute-values', [
    { attribute_id: attribute?.id, customer_id, value: jane.attribute },
  ])
  await here('POST', '/v3/customers/subscribers', { email, first_name, last_name })
  await here('POST', '/v3/wishlists', { customer_id, name: jane.wishlist, is_public: false, items: [] })
  await here('POST', '/v2/orders', {
    customer_id,
    status_id: 10,
    customer_message: jane.message,
    staff_notes: jane.notes,
    billing_address: {
      ...{ first_name, last_name, email, phone, street_1: jane.street, city: 'Austin', state: 'Texas', zip: '78759' },
      ...{ country: 'United States', country_iso2: 'US' },
    },
    products: [{ name: 'Custom', quantity: 1, price_inc_tax: 5, price_ex_tax: 5 }],
  })
  const [script] = (await world.state('source')).scripts?.filter(({ kind }) => kind === 'script_tag') ?? []
  await here('PUT', `/v3/content/scripts/${script?.uuid}`, { html: `<script>say('${jane.script}')</script>` })
}

/** The destination has what is hers, the source another value: an update saves hers as the original. */
async function overwriteAndDelete(): Promise<void> {
  const [source, destination] = [await customerAt('source', jane), await customerAt('destination', jane)]
  await here('PUT', '/v3/customers', [
    { id: source, phone: '1', first_name: 'J', last_name: 'P' },
    { id: await customerAt('source', tom), phone: '2' },
    { id: await customerAt('source', ann), phone: '3' },
  ])
  const { customer_addresses = [], subscribers = [], wishlists = [] } = await world.state('source')
  const address = customer_addresses.find(({ customer_id }) => customer_id === source)
  await here('DELETE', `/v3/customers/addresses?id:in=${address?.id}`)
  const subscriber = subscribers.find(({ email }) => String(email).toLowerCase() === jane.email.toLowerCase())
  await here('PUT', `/v3/customers/subscribers/${subscriber?.id}`, { first_name: 'J', last_name: 'P' })
  const wishlist = wishlists.find(({ customer_id }) => customer_id === source)
  await here('DELETE', `/v3/wishlists/${wishlist?.id}`)
  const metafield = { namespace: 'app', key: 'k', value: jane.attribute, permission_set: 'write' }
  await there('POST', `/v3/customers/${destination}/metafields`, metafield)
  await world.complete({ conflictStrategy: 'update' })
  await confirm(await world.migrate(replacing))
}

async function aRunThatWaits(): Promise<string> {
  const list = { is_public: false, items: [] }
  const [source, destination] = [await customerAt('source', jane), await customerAt('destination', tom)]
  await here('POST', '/v3/wishlists', { ...list, customer_id: source, name: `${jane.wishlist}, too` })
  await there('POST', '/v3/wishlists', { ...list, customer_id: destination, name: 'Only there' })
  const id = await world.migrate(replacing)
  await world.finished(id, { status: 'paused' })
  return id
}

async function confirm(id: string): Promise<void> {
  await world.finished(id, { status: 'paused' })
  const { body } = await world.api<{ prune: { confirmPrune: string } }>('GET', `/v2/migrations/${id}/request`)
  await world.api('POST', `/v2/migrations/${id}/resume`, { confirmPrune: body.prune.confirmPrune })
  expect(await world.finished(id)).toMatchObject({ status: 'completed' })
}

/** All saved originals and all items kept by a run, as someone with the master key and the database reads them. */
async function savedItems(): Promise<string[]> {
  const { keyring } = (await workerGround()).deps
  const { rows } = await sql<{ salt: Buffer; component: string; id: string; sealed: string }>`
    select before_image_salt as salt, component, destination_id as id, encode(body_sealed, 'base64') as sealed
    from before_images image join runs run on run.id = image.run_id
    where run.organisation_id = ${world.organisationId} and body_sealed is not null
    union all
    select before_image_salt, pass, source_id, body ->> 'sealed item'
    from staged_items copy join runs run on run.id = copy.run_id
    where run.organisation_id = ${world.organisationId} and body ->> 'sealed item' is not null`.execute(world.database)
  return rows.map(({ salt, component, id, sealed }) => {
    const key = createHmac('sha256', keyring.subkey('before-images')).update(salt).digest()
    const body = new Protection(Buffer.alloc(0), key).unstaged(component, id, { 'sealed item': sealed })
    return `${component} ${JSON.stringify(body)}`
  })
}

const amongTexts = (lines: string[]) => texts.filter((text) => lines.some((line) => line.includes(text)))

async function erase({
  keep = false,
  ...asked
}: Partial<ShopperToErase> & { keep?: boolean } = {}): Promise<ErasedShopper> {
  const { deps } = await workerGround()
  let would: ErasedShopper | undefined
  const organisation = world.organisationId
  const done = await eraseShopper(
    deps,
    { userId: null },
    { organisation, email: jane.email, customerIds: [], ...asked },
    async (found) => {
      would = found
      return !keep
    },
  )
  if (!would) throw new Error('Nothing was asked.')
  if (!keep) expect(done).toEqual(would)
  return would
}

const idsOf = ({ accounts }: ErasedShopper, component?: string) =>
  accounts.filter((one) => component === undefined || one.component === component).flatMap(({ ids }) => ids)

async function indexAll(): Promise<void> {
  while ((await indexSome({ database: world.database, store: index })) > 0);
}

/** As bytes: what SQLite has deleted may still be in its files. */
function textsInIndex(): string[] {
  const files = readdirSync(directory).map((name) => readFileSync(join(directory, name)).toString('latin1'))
  return amongTexts(files)
}

/** Nobody has this address. */
async function expectNothingErased(): Promise<void> {
  const before = await savedItems()
  const found = await erase({ email: 'unknown@mail.example' })
  expect(found).toMatchObject({ originals: 0, copies: 0, texts: {}, mappings: 0, keptUnknown: true })
  expect(idsOf(found)).toEqual([])
  expect(found.unknownOriginals).toBeGreaterThan(0)
  expect(await savedItems()).toEqual(before)
}

/** Her accounts are gone from the stores, and only an id of one of them leads to what is saved of her. */
async function expectFoundById(): Promise<void> {
  const [sourceId, thereId] = [await customerAt('source', ann), await customerAt('destination', ann)]
  await here('DELETE', `/v3/customers?id:in=${sourceId}`)
  await there('DELETE', `/v3/customers?id:in=${thereId}`)
  const unnamed = await erase({ email: ann.email, keep: true })
  expect(unnamed.originals).toBe(0)
  expect(idsOf(unnamed)).toEqual([])
  const given = { email: ann.email, customerIds: [`${world.address('source').hash}/${sourceId}`] }
  const found = await erase(given)
  expect(idsOf(found, 'customers')).toContain(`${world.address('destination').hash}/${thereId}`)
  expect(found.originals).toBeGreaterThan(0)
  expect((await savedItems()).filter((line) => line.includes(ann.phone))).toEqual([])
  await expect(erase({ ...given, customerIds: ['elsewhere/1'] })).rejects.toThrow(/names no customer/)
}

test('S9: a shopper is erased from every table, saved original and index, also by the id of an account that is gone; what is of others stays, and a run that waits goes on', async () => {
  await expectNothingErased()
  await indexAll()
  const before = await savedItems()
  // The story is about something only if she is in there.
  expect(amongTexts(before)).toEqual(
    expect.arrayContaining([jane.first_name, jane.phone, jane.street, jane.attribute, jane.wishlist]),
  )
  const stored = Object.values(jane).filter((text) => text !== jane.email)
  expect(await tablesContaining(world, stored)).toEqual([])
  expect(await tablesContaining(world, [jane.email])).toEqual(
    expect.arrayContaining(['public.runs', 'public.snapshots', 'public.stores']),
  )
  expect(textsInIndex()).toEqual([jane.email])

  const would = await erase({ keep: true })
  expect(await savedItems()).toEqual(before)
  const erased = await erase()
  expect(erased).toEqual(would)
  expect(erased).toMatchObject({ unreached: [], keptUnknown: false, hasAccount: false })
  const [source, destination] = [await customerAt('source', jane), await customerAt('destination', jane)]
  expect(idsOf(erased, 'customers').toSorted()).toEqual(
    [`${world.address('source').hash}/${source}`, `${world.address('destination').hash}/${destination}`].toSorted(),
  )
  expect(idsOf(erased, 'subscribers')).toHaveLength(2)
  expect(erased.mappings).toBe(2)
  expect(erased.copies).toBe(1)

  expect(await tablesContaining(world, texts)).toEqual([])
  const after = await savedItems()
  expect(amongTexts(after)).toEqual([])
  expect(after.some((line) => line.includes(tom.phone))).toBe(true)
  const { signal } = new AbortController()
  await cleanIndex({ database: world.database, store: index, clock: systemClock }, erased.runIds, signal)
  expect(textsInIndex()).toEqual([])
  await confirm(waiting)
  await expectFoundById()
}, 120_000)

test('S9: a paused run copies what its source says, not what an erasure put in the place of an address', async () => {
  const shop = await aWorldWithBrands({ seeds: { source: 'empty' } })
  const name = `Candles of ${jane.email}`
  await callStore(shop, 'source', 'POST', '/v3/catalog/brands', { name })
  const id = await heldRun(shop)
  await shop.api('POST', `/v2/migrations/${id}/pause`)
  await waitUntilChildKnows(shop, id)
  await letGo(shop)
  await shop.finished(id, { status: 'paused' })
  const { texts } = await erase({ organisation: shop.organisationId })
  expect(texts).toMatchObject({ staged_items: 1 })
  await shop.api('POST', `/v2/migrations/${id}/resume`)
  expect(await shop.finished(id)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const names = async (side: 'source' | 'destination') =>
    ((await shop.state(side)).brands ?? []).map((brand) => String(brand.name)).sort()
  expect(await names('source')).toContain(name)
  expect(await names('destination')).toEqual(await names('source'))
})

longTest(
  'G12, S9: later runs recognise what is left of an erased shopper, double nothing, and do not create the person again',
  async () => {
    const emailsThere = async () =>
      ((await world.state('destination')).customers ?? []).map(({ email }) => email).sort()
    const emails = await emailsThere()
    const again = await world.complete()
    for (const [component, { created = 0 }] of Object.entries(await counted(world, again.requestId)))
      if (['customers', 'subscribers', 'wishlists', 'orders'].includes(component)) expect(created, component).toBe(0)
    expect(await emailsThere()).toEqual(emails)

    await there('DELETE', `/v3/customers?id:in=${await customerAt('destination', jane)}`)
    const next = await world.complete({ conflictStrategy: 'update' })
    expect(await emailsThere()).toEqual(emails.filter((email) => email !== jane.email))
    const warned = (await world.issues(next.requestId)).filter(({ code }) => code === 'not_recreated')
    expect(warned.map(({ component }) => component)).toContain('customers')
  },
)
