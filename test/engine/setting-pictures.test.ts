import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { callStore } from './call-store.ts'
import { writesTo } from './content.ts'
import { counted } from './counted.ts'
import { comparedWithItsPlan } from './planned.ts'

const entities = ['store-settings']
const components = ['store-pictures', 'channel-pictures']

interface Shown {
  logo_image_url: string | null
  favicon_url: string | null
}

/** The logos and icons of a store, for the whole store and for its first storefront, as bytes. */
async function shown(world: World, side: Side): Promise<(string | null)[]> {
  const settings = await Promise.all(
    ['', '?channel_id=1'].map((query) => callStore<Shown>(world, side, 'GET', `/v3/settings/logo${query}`)),
  )
  const addresses = settings.flatMap(({ logo_image_url, favicon_url }) => [logo_image_url, favicon_url])
  return Promise.all(addresses.map((address) => (address ? bytesAt(address) : null)))
}
async function bytesAt(address: string): Promise<string> {
  return Buffer.from(await (await fetch(address)).arrayBuffer()).toString('base64')
}
const uploads = async (world: World) => (await writesTo(world)).filter((call) => call.endsWith('/image')).sort()
const counts = async (world: World, { requestId }: { requestId: string }) => {
  const all = await counted(world, requestId)
  return components.map((component) => all[component])
}
const logoRow = async (world: World, side: Side) => {
  const row = (await world.state(side)).settings?.find(({ name, channel_id }) => name === 'logo' && channel_id === 0)
  return { id: row?.id ?? 0, pictures: row?.pictures }
}
const putPictures = (world: World, side: Side, id: number, pictures: unknown) =>
  world.change(side, { op: 'set', table: 'settings', id, fields: { pictures } })
/** Replaces the logo; @returns how to restore the first one. */
const putLogo = async (world: World, side: Side, file: string) => {
  const { id, pictures } = await logoRow(world, side)
  await putPictures(world, side, id, { ...(pictures as object), logo_image_url: file })
  return () => putPictures(world, side, id, pictures)
}

longTest(
  'F2, B2: a dry run foretells logos and icons, these are sent unchanged, and a lost answer sends none of them twice',
  async () => {
    const world = await aWorld({ entities })
    await world.fault('destination', {
      kind: 'reset_after_applying',
      method: 'POST',
      path: '/settings/favicon/image$',
      times: 1,
    })
    await world.resetRequests('source')
    expect(await comparedWithItsPlan(world, { entities })).toMatchObject({ onlyPlanned: [], onlyDone: [] })
    expect((await world.faults('destination')).map(({ hits }) => hits)).toEqual([1])
    expect(await uploads(world)).toEqual([
      'POST /v3/settings/favicon/image',
      'POST /v3/settings/logo/image',
      'POST /v3/settings/logo/image',
    ])
    const [logo, icon, ofChannel, none] = await shown(world, 'destination')
    expect([logo, icon, ofChannel, none]).toEqual(await shown(world, 'source'))
    expect(new Set([logo, icon, ofChannel]).size).toBe(3)
    expect(none).toBeNull()
    expect((await world.requests('source')).filter(({ method }) => method !== 'GET')).toEqual([])
  },
)

test('C2: a second run finds logos and icons unchanged, under skip and under update', async () => {
  const world = await aWorld({ entities })
  await world.complete()
  await world.resetRequests('destination')
  for (const conflictStrategy of ['skip', 'update'])
    expect(await counts(world, await world.complete({ conflictStrategy })), conflictStrategy).toEqual([
      { discovered: 2, matched: 2 },
      { discovered: 1, matched: 1 },
    ])
  expect(await uploads(world)).toEqual([])
})

longTest(
  'F1: another logo at the destination is reported by verify, left alone by skip, and overwritten by update',
  async () => {
    const world = await aWorld({ entities })
    await world.complete()
    await putLogo(world, 'destination', 's/their-own__00009.png')
    const run = await world.complete()
    expect((await shown(world, 'destination'))[0]).not.toBe((await shown(world, 'source'))[0])
    const { differences } = await world.verify(run.requestId)
    expect(differences.map(({ component, fields }) => [component, fields.map(({ path }) => path)])).toEqual([
      ['store-pictures', ['image_file']],
    ])
    await world.resetRequests('destination')
    const update = await world.complete({ conflictStrategy: 'update' })
    expect((await counts(world, update))[0]).toEqual({ discovered: 2, updated: 1, matched: 1 })
    expect(await uploads(world)).toEqual(['POST /v3/settings/logo/image'])
    expect(await shown(world, 'destination')).toEqual(await shown(world, 'source'))
  },
)

longTest(
  'F3: a logo that the source shop does not serve is reported, the other pictures are copied, and so is the logo once repaired',
  async () => {
    const world = await aWorld({ entities })
    const putBack = await putLogo(world, 'source', 's/missing-logo__00001.png')
    const run = await world.complete()
    expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
    expect(await uploads(world)).toEqual(['POST /v3/settings/favicon/image', 'POST /v3/settings/logo/image'])
    const reported = (await world.issues(run.requestId)).filter(({ severity }) => severity === 'failure')
    expect(reported).toMatchObject([{ component: 'store-pictures', code: 'picture_not_fetched' }])
    await putBack()
    expect(await world.complete()).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await shown(world, 'destination')).toEqual(await shown(world, 'source'))
  },
)
