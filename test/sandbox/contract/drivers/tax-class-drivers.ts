import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { type Driver, drive } from './driver.ts'

const READ = '/v2/tax_classes'
const WRITE = '/v3/tax/classes'

async function aClass({ made }: Shop): Promise<number> {
  const rows = (await made('POST', WRITE, [{ name: 'Books' }])) as unknown as { id: number }[]
  return rows[0]?.id ?? NO_SUCH_ID
}

export const taxClassDrivers: Driver[] = [
  // Nothing in the list can be asked for wrongly but the token.
  drive(`GET ${READ}`),
  drive(`GET ${READ}/:id`, { ids: [1] }),
  drive(`POST ${WRITE}`, { body: [{ name: 'Books' }, { name: 'Food' }] }, [
    { body: [] },
    { body: [{ name: 'Books' }, { name: 'books' }] },
    { body: [{ name: 'Shipping' }] },
    { body: Array.from({ length: 51 }, (_nothing, at) => ({ name: `Class ${at}` })) },
  ]),
  drive(`PUT ${WRITE}`, async (shop) => ({ body: [{ id: await aClass(shop), name: 'Magazines' }] }), [
    { body: [{ id: NO_SUCH_ID, name: 'Unknown' }] },
    { body: [{ id: 1 }] },
    async (shop) => ({ body: [{ id: await aClass(shop), name: 'Shipping' }] }),
    { body: Array.from({ length: 51 }, (_nothing, at) => ({ id: at + 1, name: `Class ${at}` })) },
  ]),
  drive(`DELETE ${WRITE}`, async (shop) => ({ query: `id:in=${await aClass(shop)}` }), [
    {},
    { query: 'id:in=many' },
    { query: `id:in=${NO_SUCH_ID}` },
    { query: `id:in=${Array.from({ length: 51 }, (_nothing, at) => at + 1)}` },
  ]),
]
