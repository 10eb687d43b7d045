import { NOBODY, type Shop } from './contract-shop.ts'
import type { Driver } from './driver.ts'

const READ = '/v2/tax_classes'
const WRITE = '/v3/tax/classes'

async function aClass({ made }: Shop): Promise<number> {
  const rows = (await made('POST', WRITE, [{ name: 'Books' }])) as unknown as { id: number }[]
  return rows[0]?.id ?? NOBODY
}

export const taxClassDrivers: Driver[] = [
  // Nothing in the list can be asked for wrongly but the token.
  { operation: `GET ${READ}`, succeeds: [{}], fails: [] },
  { operation: `GET ${READ}/:id`, succeeds: [{ ids: [1] }], fails: [{ ids: [NOBODY] }] },
  {
    operation: `POST ${WRITE}`,
    succeeds: [{ body: [{ name: 'Books' }, { name: 'Food' }] }],
    fails: [
      { body: [] },
      { body: [{ name: 'Books' }, { name: 'books' }] },
      { body: [{ name: 'Shipping' }] },
      { body: Array.from({ length: 51 }, (_nothing, at) => ({ name: `Class ${at}` })) },
    ],
  },
  {
    operation: `PUT ${WRITE}`,
    succeeds: [async (shop) => ({ body: [{ id: await aClass(shop), name: 'Magazines' }] })],
    fails: [
      { body: [{ id: NOBODY, name: 'Nobody' }] },
      { body: [{ id: 1 }] },
      async (shop) => ({ body: [{ id: await aClass(shop), name: 'Shipping' }] }),
      { body: Array.from({ length: 51 }, (_nothing, at) => ({ id: at + 1, name: `Class ${at}` })) },
    ],
  },
  {
    operation: `DELETE ${WRITE}`,
    succeeds: [async (shop) => ({ query: `id:in=${await aClass(shop)}` })],
    fails: [
      {},
      { query: 'id:in=many' },
      { query: `id:in=${NOBODY}` },
      { query: `id:in=${Array.from({ length: 51 }, (_nothing, at) => at + 1)}` },
    ],
  },
]
