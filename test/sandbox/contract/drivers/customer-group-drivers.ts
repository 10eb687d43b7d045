import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { at, type Driver, drive } from './driver.ts'

const GROUPS = '/v2/customer_groups'
const GROUP = `${GROUPS}/:customerGroupId`
const TRADE = { name: 'Trade customers', is_default: false, is_group_for_guests: false }

/** v2 answers without an envelope. */
export async function aGroup({ call }: Shop, fields: object = {}): Promise<number> {
  const { status, body } = await call({ method: 'POST', path: GROUPS, body: { ...TRADE, ...fields } })
  if (status !== 200) throw new Error(`POST ${GROUPS}: ${status} ${JSON.stringify(body)}`)
  return (body as { id: number }).id
}

/** Discounts of every kind that go together, and access to some categories. */
async function withRules({ first }: Shop) {
  const product = await first('/v3/catalog/products')
  const { category_id } = await first('/v3/catalog/trees/categories')
  return {
    ...TRADE,
    discount_rules: [
      { type: 'all', method: 'percent', amount: '5.0000' },
      { type: 'category', category_id, method: 'fixed', amount: '1.5000' },
      { type: 'product', product_id: product.id, method: 'price', amount: '9.9900' },
    ],
    category_access: { type: 'specific', categories: [category_id] },
  }
}

async function ofPriceList({ made }: Shop) {
  const { id } = await made('POST', '/v3/pricelists', { name: 'Trade' })
  return { ...TRADE, discount_rules: [{ type: 'price_list', price_list_id: id }] }
}

export const customerGroupDrivers: Driver[] = [
  drive(
    `GET ${GROUPS}`,
    async (shop) => {
      await aGroup(shop, await withRules(shop))
      return {}
    },
    { query: 'page=many' },
  ),
  drive(
    `POST ${GROUPS}`,
    [
      { body: TRADE },
      async (shop) => ({ body: await withRules(shop) }),
      async (shop) => ({ body: await ofPriceList(shop) }),
      {
        body: {
          name: 'Trade [[late-discount]]',
          discount_rules: [{ type: 'all', method: 'percent', amount: '5.0000' }],
        },
      },
    ],
    { body: {} },
  ),
  drive(`GET ${GROUPS}/count`, {}, { query: 'date_modified:min=some-day' }),
  drive(`GET ${GROUP}`, at(aGroup)),
  drive(`PUT ${GROUP}`, async (shop) => ({ ids: [await aGroup(shop)], body: await withRules(shop) }), {
    ids: [NO_SUCH_ID],
    body: TRADE,
  }),
  drive(`DELETE ${GROUP}`, at(aGroup)),
]
