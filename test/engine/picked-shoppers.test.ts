import { expect, test } from 'vitest'
import type { MigrationRequest } from '../../src/contract/migration-request.ts'
import { longTest } from '../harness/long-form.ts'
import { aWorld } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'

type Row = { id: number } & Record<string, unknown>

/** A store with shoppers, some of whom are picked. */
async function someShoppers() {
  const world = await aWorld()
  return {
    rows: async (side: Side, table: string) => ((await world.state(side))[table] ?? []) as Row[],
    picked: async (selection: Record<string, { ids: string[] }>) => {
      const id = await world.migrate({ selection })
      const { scope } = (await world.api<MigrationRequest>('GET', `/v2/migrations/${id}/request`)).body
      const run = await world.finished(id)
      return { run, issues: await world.issues(id), inScope: new Map(scope?.map((one) => [one.component, one])) }
    },
  }
}

test('C4: a picked subscriber is copied alone, and an unknown id is reported', async () => {
  const { rows, picked } = await someShoppers()
  const [one, two] = await rows('source', 'subscribers')
  const { run, issues, inScope } = await picked({ subscribers: { ids: [String(one?.id), '999999'] } })
  expect(run).toMatchObject({ selective: true })
  expect([...inScope.keys()]).toEqual(['subscribers'])
  expect((await rows('destination', 'subscribers')).map(({ email }) => email)).toEqual([one?.email])
  expect(issues.map(({ component, code }) => [component, code])).toEqual([['subscribers', 'source_gone']])
  await picked({ subscribers: { ids: [String(two?.id)] } })
  expect((await rows('destination', 'subscribers')).map(({ email }) => email)).toEqual([one?.email, two?.email])
})

longTest('C4: a picked wishlist is copied with its customer and its products, and nothing else', async () => {
  const { rows, picked } = await someShoppers()
  const items = await rows('source', 'wishlist_items')
  const wishlist = (await rows('source', 'wishlists')).find(({ id }) => items.some((item) => item.wishlist_id === id))
  const wished = items.filter(({ wishlist_id }) => wishlist_id === wishlist?.id)
  const { run, issues, inScope } = await picked({ wishlists: { ids: [String(wishlist?.id)] } })
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(issues).toEqual([])
  expect(inScope.get('wishlists')).toMatchObject({ picked: 1, needed: 0 })
  expect(inScope.get('customers')).toMatchObject({ picked: 0, needed: 1, created: true })
  expect(await rows('destination', 'wishlists')).toMatchObject([{ name: wishlist?.name }])
  expect(await rows('destination', 'customers')).toHaveLength(1)
  const names = async (side: Side, ids?: unknown[]) =>
    (await rows(side, 'products')).filter(({ id }) => ids?.includes(id) ?? true).map(({ name }) => name)
  const expected = wished.map(({ product_id }) => product_id)
  expect((await names('destination')).sort()).toEqual((await names('source', expected)).sort())
  expect(await rows('destination', 'wishlist_items')).toHaveLength(wished.length)
})
