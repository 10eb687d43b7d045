import type { Shop } from './contract-shop.ts'
import { at, type Driver, drive } from './driver.ts'

const SEGMENTS = '/v3/segments'
const MEMBERS = `${SEGMENTS}/:segmentId/shopper-profiles`
const PROFILES = '/v3/shopper-profiles'
const OF_PROFILE = `${PROFILES}/:shopperProfileId/segments`
const NO_SUCH_ID = '00000000-0000-4000-a000-000000000000'

/** Segments and profiles are made in batches. */
async function firstMade({ made }: Shop, path: string, row: object): Promise<string> {
  const [first] = (await made('POST', path, [row])) as unknown as { id: string }[]
  return first?.id ?? ''
}

export async function aCustomer({ made }: Shop): Promise<number> {
  const customer = { email: 'grace@example.com', first_name: 'Grace', last_name: 'Example' }
  const [first] = (await made('POST', '/v3/customers', [customer])) as unknown as { id: number }[]
  return first?.id ?? 0
}

const aSegment = (shop: Shop, name = 'Regulars') => firstMade(shop, SEGMENTS, { name })

async function aProfile(shop: Shop): Promise<string> {
  return firstMade(shop, PROFILES, { customer_id: await aCustomer(shop) })
}

async function aMember(shop: Shop): Promise<{ segment: string; profile: string }> {
  const [segment, profile] = [await aSegment(shop), await aProfile(shop)]
  await shop.made('POST', `${SEGMENTS}/${segment}/shopper-profiles`, [profile])
  return { segment, profile }
}

export const segmentDrivers: Driver[] = [
  drive(`GET ${SEGMENTS}`, async (shop) => ({ query: `id:in=${await aSegment(shop)}` }), { query: 'page=many' }),
  drive(`POST ${SEGMENTS}`, { body: [{ name: 'Regulars' }] }, [
    { body: [{}] },
    async (shop) => {
      await aSegment(shop)
      return { body: [{ name: 'Regulars' }] }
    },
  ]),
  drive(`PUT ${SEGMENTS}`, async (shop) => ({ body: [{ id: await aSegment(shop), name: 'Friends' }] }), {
    body: [{ id: NO_SUCH_ID, name: 'Unknown' }],
  }),
  drive(`DELETE ${SEGMENTS}`, async (shop) => ({ query: `id:in=${await aSegment(shop)}` }), {}),
  drive(`GET ${MEMBERS}`, async (shop) => ({ ids: [(await aMember(shop)).segment] }), { ids: [NO_SUCH_ID] }),
  drive(
    `POST ${MEMBERS}`,
    async (shop) => ({ ids: [await aSegment(shop)], body: [await aProfile(shop)] }),
    async (shop) => {
      const { segment, profile } = await aMember(shop)
      return { ids: [segment], body: [profile] }
    },
  ),
  drive(
    `DELETE ${MEMBERS}`,
    async (shop) => {
      const { segment, profile } = await aMember(shop)
      return { ids: [segment], query: `id:in=${profile}` }
    },
    at(aSegment),
  ),
  drive(
    `GET ${PROFILES}`,
    async (shop) => {
      await aProfile(shop)
      return {}
    },
    { query: 'page=many' },
  ),
  drive(`POST ${PROFILES}`, async (shop) => ({ body: [{ customer_id: await aCustomer(shop) }] }), {
    body: [{ customer_id: 99_999_999 }],
  }),
  drive(`DELETE ${PROFILES}`, async (shop) => ({ query: `id:in=${await aProfile(shop)}` }), {}),
  drive(`GET ${OF_PROFILE}`, async (shop) => ({ ids: [(await aMember(shop)).profile] }), { ids: [NO_SUCH_ID] }),
]
