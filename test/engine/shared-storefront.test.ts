import { expect, test } from 'vitest'
import { aWorld } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { generous, listed } from './replace-story.ts'
import { firstPair, outletOf, rows } from './two-storefronts.ts'

test('D3, G3: of two storefronts that are copied to one, a page that both have is deleted by replace only once it is gone from both', async () => {
  const world = await aWorld({ seeds: { source: 'tiny-two-storefronts' }, entities: ['pages'] })
  const outlet = await outletOf(world, 'source')
  const make = (channel_id: number, name: string) =>
    callStore<{ id: number }>(world, 'source', 'POST', '/v3/content/pages', {
      type: 'page',
      channel_id,
      name,
      body: name,
    })
  const [first, second] = [await make(1, 'On both'), await make(outlet, 'On both')]
  await make(1, 'Of the first')
  await make(outlet, 'Of the outlet')
  const outletToFirst = { sourceStorefront: String(outlet), destStorefront: '1' }
  const names = async () => (await rows(world, 'destination', 'pages')).map(({ name }) => name)
  await world.complete({ ...firstPair, ...generous })
  await world.complete({ ...outletToFirst, ...generous })
  expect((await names()).filter((name) => name === 'On both')).toHaveLength(1)

  await callStore(world, 'source', 'DELETE', `/v3/content/pages/${first.id}`)
  const dry = await world.complete({ mode: 'dry-run', ...firstPair, ...generous })
  expect((await listed(world, dry.requestId)).items).toEqual([])
  const { requestId } = await world.complete({ ...firstPair, ...generous })
  expect(await names()).toEqual(expect.arrayContaining(['On both', 'Of the first', 'Of the outlet']))
  const { differences } = await world.verify(requestId)
  expect(differences.map(({ item, kept }) => [item.name, kept])).toEqual(
    expect.arrayContaining([
      ['Of the outlet', true],
      ['On both', true],
    ]),
  )
  expect(differences.filter(({ kept }) => !kept)).toEqual([])

  await callStore(world, 'source', 'DELETE', `/v3/content/pages/${second.id}`)
  await world.complete({ ...outletToFirst, ...generous })
  expect(await names()).not.toContain('On both')
  expect(await names()).toEqual(expect.arrayContaining(['Of the first', 'Of the outlet']))
})
