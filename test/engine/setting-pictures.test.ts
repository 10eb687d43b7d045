import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { counted } from './counted.ts'
import { comparedWithItsPlan } from './planned.ts'

const entities = ['store-settings']
const update = { entities, conflictStrategy: 'update' }
const components = ['store-pictures', 'channel-pictures']

let world: World
beforeAll(async () => {
  world = await startWorld({ requestTimeoutSeconds: 1 })
})
afterAll(() => world?.stop())

interface Shown {
  logo_image_url: string | null
  favicon_url: string | null
}

/** What a store shows of itself, of the whole store and of its first storefront, as bytes. */
async function shown(side: Side): Promise<(string | null)[]> {
  const places = await Promise.all(
    ['', '?channel_id=1'].map((query) => callStore<Shown>(world, side, 'GET', `/v3/settings/logo${query}`)),
  )
  const addresses = places.flatMap(({ logo_image_url, favicon_url }) => [logo_image_url, favicon_url])
  return Promise.all(addresses.map((address) => (address ? bytesAt(address) : null)))
}
async function bytesAt(address: string): Promise<string> {
  return Buffer.from(await (await fetch(address)).arrayBuffer()).toString('base64')
}
const uploads = async () =>
  (await world.requests('destination'))
    .filter(({ method, path }) => method !== 'GET' && path.endsWith('/image'))
    .map(({ method, path }) => `${method} ${path}`)
    .sort()
const counts = async ({ requestId }: { requestId: string }) => {
  const all = await counted(world, requestId)
  return components.map((component) => all[component])
}
const logoRow = async (side: Side, channel: number) =>
  (await world.state(side)).settings?.find(({ name, channel_id }) => name === 'logo' && channel_id === channel)
/** Somebody has put another logo there. */
const putLogo = async (side: Side, file: string) => {
  const row = await logoRow(side, 0)
  const pictures = { ...(row?.pictures as object), logo_image_url: file }
  await world.change(side, { op: 'set', table: 'settings', id: row?.id ?? 0, fields: { pictures } })
}

test('F2, B2: logos and icons are foretold and sent as they are, and a lost answer sends none of them twice', async () => {
  const fault = await world.fault('destination', {
    kind: 'reset_after_applying',
    method: 'POST',
    path: '/settings/favicon/image$',
    times: 1,
  })
  await world.resetRequests('source')
  expect(await comparedWithItsPlan(world, { entities })).toMatchObject({ onlyPlanned: [], onlyDone: [] })
  expect((await world.faults('destination')).find(({ id }) => id === fault)?.hits).toBe(1)
  expect(await uploads()).toEqual([
    'POST /v3/settings/favicon/image',
    'POST /v3/settings/logo/image',
    'POST /v3/settings/logo/image',
  ])
  const [logo, icon, ofChannel, none] = await shown('destination')
  expect([logo, icon, ofChannel, none]).toEqual(await shown('source'))
  expect(new Set([logo, icon, ofChannel]).size).toBe(3)
  expect(none).toBeNull()
  expect((await world.requests('source')).filter(({ method }) => method !== 'GET')).toEqual([])
})

test('C2: a second run finds them as they are, with update, too', async () => {
  await world.resetRequests('destination')
  expect(await counts(await world.complete({ entities }))).toEqual([
    { discovered: 2, matched: 2 },
    { discovered: 1, matched: 1 },
  ])
  expect(await counts(await world.complete(update))).toEqual([
    { discovered: 2, matched: 2 },
    { discovered: 1, matched: 1 },
  ])
  expect(await uploads()).toEqual([])
})

test('F1: another logo at the destination is told by verify, left by skip, and written over by update', async () => {
  await putLogo('destination', 's/their-own__00009.png')
  const run = await world.complete({ entities })
  expect((await shown('destination'))[0]).not.toBe((await shown('source'))[0])
  const { differences } = await world.verify(run.requestId)
  expect(differences.map(({ component, fields }) => [component, fields.map(({ path }) => path)])).toEqual([
    ['store-pictures', ['image_file']],
  ])
  await world.resetRequests('destination')
  expect((await counts(await world.complete(update)))[0]).toEqual({ discovered: 2, updated: 1, matched: 1 })
  expect(await uploads()).toEqual(['POST /v3/settings/logo/image'])
  expect(await shown('destination')).toEqual(await shown('source'))
})

test('F4: a logo that the source shop does not give is told, the others go, and it goes as soon as it is there', async () => {
  const row = await logoRow('source', 0)
  await putLogo('source', 's/missing-logo__00001.png')
  await world.resetRequests('destination')
  const run = await world.complete(update)
  expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  expect(await uploads()).toEqual([])
  const told = (await world.issues(run.requestId)).filter(({ severity }) => severity === 'failure')
  expect(told).toMatchObject([{ component: 'store-pictures', code: 'picture_not_fetched' }])
  const { pictures } = row as { pictures?: object }
  await world.change('source', { op: 'set', table: 'settings', id: row?.id ?? 0, fields: { pictures } })
  expect(await world.complete(update)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await shown('destination')).toEqual(await shown('source'))
})
