import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { type Driver, drive } from './driver.ts'
import { aCustomer } from './segment-drivers.ts'

const WISHLISTS = '/v3/wishlists'
const WISHLIST = `${WISHLISTS}/:wishlistId`
const ITEMS = `${WISHLIST}/items`

async function anItem({ first }: Shop) {
  const { id, product_id } = await first('/v3/catalog/variants')
  return { product_id, variant_id: id }
}

async function aBody(shop: Shop) {
  return { customer_id: await aCustomer(shop), name: 'For later', is_public: true, items: [await anItem(shop)] }
}

async function aWishlist(shop: Shop) {
  const body = await aBody(shop)
  return { body, made: await shop.made('POST', WISHLISTS, body) }
}

export const wishlistDrivers: Driver[] = [
  drive(
    `GET ${WISHLISTS}`,
    async (shop) => {
      const { body } = await aWishlist(shop)
      return { query: `customer_id=${body.customer_id}` }
    },
    { query: 'page=many' },
  ),
  drive(`POST ${WISHLISTS}`, async (shop) => ({ body: await aBody(shop) }), { body: { customer_id: NO_SUCH_ID } }),
  drive(`GET ${WISHLIST}`, async (shop) => ({ ids: [(await aWishlist(shop)).made.id] })),
  drive(
    `PUT ${WISHLIST}`,
    async (shop) => {
      const { made, body } = await aWishlist(shop)
      return { ids: [made.id], body: { ...body, name: 'Much later', items: made.items } }
    },
    async (shop) => ({ ids: [NO_SUCH_ID], body: await aBody(shop) }),
  ),
  // What is not there may be removed, so that only who asks can be wrong.
  drive(`DELETE ${WISHLIST}`, async (shop) => ({ ids: [(await aWishlist(shop)).made.id] }), []),
  drive(
    `POST ${ITEMS}`,
    async (shop) => ({ ids: [(await aWishlist(shop)).made.id], body: { items: [await anItem(shop)] } }),
    { ids: [NO_SUCH_ID], body: { items: [] } },
  ),
  drive(`DELETE ${ITEMS}/:itemId`, async (shop) => {
    const { made } = await aWishlist(shop)
    const [item] = made.items as { id: number }[]
    return { ids: [made.id, item?.id ?? 0] }
  }),
]
