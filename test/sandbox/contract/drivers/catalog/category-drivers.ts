import { pictureForm } from '../../../picture-form.ts'
import { NO_SUCH_ID, type Shop } from '../contract-shop.ts'
import { at, type Driver, drive, theFirst } from '../driver.ts'

const TREES = '/v3/catalog/trees'
const CATEGORIES = '/v3/catalog/trees/categories'

async function aChannel({ made }: Shop): Promise<number> {
  return (await made('POST', '/v3/channels', { name: 'Second', type: 'storefront', platform: 'custom' })).id
}

async function category({ first }: Shop): Promise<number> {
  return Number((await first(CATEGORIES)).category_id)
}

async function aCategory(shop: Shop, fields: Record<string, unknown> = {}) {
  return {
    name: 'Lamps',
    tree_id: (await shop.first(TREES)).id,
    url: { path: '/lamps/', is_customized: true },
    ...fields,
  }
}

/** Everything that a category may bring. */
async function wholeCategory(shop: Shop) {
  return aCategory(shop, {
    description: '<p>Light</p>',
    views: 4,
    sort_order: 2,
    page_title: 'Lamps and more',
    meta_keywords: ['lamp', 'light'],
    meta_description: 'All lamps',
    layout_file: 'category.html',
    image_url: shop.picture('lamps.png'),
    is_visible: true,
    search_keywords: 'lamp',
    default_product_sort: 'newest',
  })
}

const SORT_ORDER = '/v3/catalog/categories/:categoryId/products/sort-order'

/** A category and one of the products in it. */
async function sorted({ first }: Shop) {
  const { category_id, product_id } = await first('/v3/catalog/products/category-assignments')
  return { ids: [Number(category_id)], body: [{ product_id, sort_order: 2 }] }
}

const LEGACY = '/v3/catalog/categories'
const IMAGE = `${LEGACY}/:categoryId/image`

/** Everything that a category may bring under the older names. */
async function wholeLegacyCategory(shop: Shop) {
  const { tree_id: _tree, url: _url, ...fields } = await wholeCategory(shop)
  return { ...fields, parent_id: 0, custom_url: { url: '/lamps/', is_customized: true } }
}

/** A category without products, so that it may be deleted. */
async function anEmptyCategory({ made }: Shop): Promise<number> {
  return (await made('POST', LEGACY, { name: 'Empty shelf', parent_id: 0 })).id
}

const legacyDrivers: Driver[] = [
  drive(`GET ${LEGACY}`, [{}, { query: 'include_fields=name&limit=2&page=2&sort=name' }], { query: 'id:in=many' }),
  drive(`POST ${LEGACY}`, async (shop) => ({ body: await wholeLegacyCategory(shop) }), [
    { body: { name: 'No parent' } },
    async (shop) => ({ body: { name: (await shop.first(LEGACY)).name, parent_id: 0 } }),
  ]),
  drive(`DELETE ${LEGACY}`, async (shop) => ({ query: `id:in=${await anEmptyCategory(shop)}` }), {}),
  drive(`GET ${LEGACY}/:categoryId`, at(theFirst(LEGACY))),
  drive(
    `PUT ${LEGACY}/:categoryId`,
    async (shop) => ({ ids: [await anEmptyCategory(shop)], body: await wholeLegacyCategory(shop) }),
    [
      { ids: [NO_SUCH_ID], body: { name: 'Unknown', parent_id: 0 } },
      at(anEmptyCategory, { body: { name: 'n'.repeat(51), parent_id: 0 } }),
      async (shop) => {
        const { name, parent_id } = await shop.first(LEGACY)
        return { ids: [await anEmptyCategory(shop)], body: { name, parent_id } }
      },
    ],
  ),
  drive(`DELETE ${LEGACY}/:categoryId`, at(anEmptyCategory)),
]

export const categoryDrivers: Driver[] = [
  drive(`GET ${TREES}`, {}, { query: 'id:in=many' }),
  drive(
    `PUT ${TREES}`,
    [
      async (shop) => ({ body: [{ name: 'Second tree', channels: [await aChannel(shop)] }] }),
      async ({ first }) => ({ body: [{ id: (await first(TREES)).id, name: 'Renamed' }] }),
    ],
    [{ body: [{ name: 'No channel' }] }, { body: Array.from({ length: 51 }, () => ({ name: 'One of many' })) }],
  ),
  drive(`DELETE ${TREES}`, async ({ first }) => ({ query: `id:in=${(await first(TREES)).id}` }), {}),
  drive(`GET ${TREES}/:treeId/categories`, at(theFirst(TREES))),
  drive(`GET ${CATEGORIES}`, [{}, { query: 'include_fields=name&limit=2&page=2' }], { query: 'tree_id:in=many' }),
  drive(
    `POST ${CATEGORIES}`,
    [
      async (shop) => ({ body: [await wholeCategory(shop)] }),
      async (shop) => ({ body: [await aCategory(shop), await aCategory(shop)] }),
    ],
    async (shop) => ({ body: [await aCategory(shop, { tree_id: NO_SUCH_ID })] }),
  ),
  drive(
    `PUT ${CATEGORIES}`,
    [
      async (shop) => {
        const { tree_id: _tree, ...fields } = await wholeCategory(shop)
        return { body: [{ category_id: await category(shop), ...fields }] }
      },
      async (shop) => ({
        body: [
          { category_id: await category(shop), name: 'Renamed' },
          { category_id: NO_SUCH_ID, name: 'Unknown' },
        ],
      }),
    ],
    { body: [{ category_id: NO_SUCH_ID, name: 'Unknown' }] },
  ),
  drive(`DELETE ${CATEGORIES}`, async (shop) => ({ query: `category_id:in=${await category(shop)}` }), {}),
  drive(`GET ${SORT_ORDER}`, async (shop) => ({ ids: (await sorted(shop)).ids })),
  drive(`PUT ${SORT_ORDER}`, sorted, [
    async (shop) => ({ ...(await sorted(shop)), ids: [NO_SUCH_ID] }),
    async (shop) => ({ ...(await sorted(shop)), body: [{ product_id: NO_SUCH_ID, sort_order: 2 }] }),
  ]),
  drive(`POST ${IMAGE}`, at(category, { body: pictureForm('lamps.png') }), [
    { ids: [NO_SUCH_ID], body: pictureForm('lamps.png') },
    async (shop) => ({ ids: [await category(shop)], body: pictureForm('lamps.png', Buffer.from('no picture')) }),
  ]),
  drive(`DELETE ${IMAGE}`, at(category)),
  ...legacyDrivers,
]
