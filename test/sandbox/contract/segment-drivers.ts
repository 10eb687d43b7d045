import type { Shop } from './contract-shop.ts'
import type { Driver } from './driver.ts'

const SEGMENTS = '/v3/segments'
const MEMBERS = `${SEGMENTS}/:segmentId/shopper-profiles`
const PROFILES = '/v3/shopper-profiles'
const OF_PROFILE = `${PROFILES}/:shopperProfileId/segments`
const NOBODY = '00000000-0000-4000-a000-000000000000'

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
  {
    operation: `GET ${SEGMENTS}`,
    succeeds: [async (shop) => ({ query: `id:in=${await aSegment(shop)}` })],
    fails: [{ query: 'page=many' }],
  },
  {
    operation: `POST ${SEGMENTS}`,
    succeeds: [{ body: [{ name: 'Regulars' }] }],
    fails: [
      { body: [{}] },
      async (shop) => {
        await aSegment(shop)
        return { body: [{ name: 'Regulars' }] }
      },
    ],
  },
  {
    operation: `PUT ${SEGMENTS}`,
    succeeds: [async (shop) => ({ body: [{ id: await aSegment(shop), name: 'Friends' }] })],
    fails: [{ body: [{ id: NOBODY, name: 'Nobody' }] }],
  },
  {
    operation: `DELETE ${SEGMENTS}`,
    succeeds: [async (shop) => ({ query: `id:in=${await aSegment(shop)}` })],
    fails: [{}],
  },
  {
    operation: `GET ${MEMBERS}`,
    succeeds: [async (shop) => ({ ids: [(await aMember(shop)).segment] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `POST ${MEMBERS}`,
    succeeds: [async (shop) => ({ ids: [await aSegment(shop)], body: [await aProfile(shop)] })],
    fails: [
      async (shop) => {
        const { segment, profile } = await aMember(shop)
        return { ids: [segment], body: [profile] }
      },
    ],
  },
  {
    operation: `DELETE ${MEMBERS}`,
    succeeds: [
      async (shop) => {
        const { segment, profile } = await aMember(shop)
        return { ids: [segment], query: `id:in=${profile}` }
      },
    ],
    fails: [async (shop) => ({ ids: [await aSegment(shop)] })],
  },
  {
    operation: `GET ${PROFILES}`,
    succeeds: [
      async (shop) => {
        await aProfile(shop)
        return {}
      },
    ],
    fails: [{ query: 'page=many' }],
  },
  {
    operation: `POST ${PROFILES}`,
    succeeds: [async (shop) => ({ body: [{ customer_id: await aCustomer(shop) }] })],
    fails: [{ body: [{ customer_id: 99_999_999 }] }],
  },
  {
    operation: `DELETE ${PROFILES}`,
    succeeds: [async (shop) => ({ query: `id:in=${await aProfile(shop)}` })],
    fails: [{}],
  },
  {
    operation: `GET ${OF_PROFILE}`,
    succeeds: [async (shop) => ({ ids: [(await aMember(shop)).profile] })],
    fails: [{ ids: [NOBODY] }],
  },
]
