import { pictureForm } from '../picture-form.ts'
import { NOBODY, type Shop } from './contract-shop.ts'
import type { Driver } from './driver.ts'

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
  {
    operation: `GET ${LEGACY}`,
    succeeds: [{}, { query: 'include_fields=name&limit=2&page=2&sort=name' }],
    fails: [{ query: 'id:in=many' }],
  },
  {
    operation: `POST ${LEGACY}`,
    succeeds: [async (shop) => ({ body: await wholeLegacyCategory(shop) })],
    fails: [
      { body: { name: 'No parent' } },
      async (shop) => ({ body: { name: (await shop.first(LEGACY)).name, parent_id: 0 } }),
    ],
  },
  {
    operation: `DELETE ${LEGACY}`,
    succeeds: [async (shop) => ({ query: `id:in=${await anEmptyCategory(shop)}` })],
    fails: [{}],
  },
  {
    operation: `GET ${LEGACY}/:categoryId`,
    succeeds: [async ({ first }) => ({ ids: [(await first(LEGACY)).id] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `PUT ${LEGACY}/:categoryId`,
    succeeds: [async (shop) => ({ ids: [await anEmptyCategory(shop)], body: await wholeLegacyCategory(shop) })],
    fails: [
      { ids: [NOBODY], body: { name: 'Nobody', parent_id: 0 } },
      async (shop) => ({ ids: [await anEmptyCategory(shop)], body: { name: 'n'.repeat(51), parent_id: 0 } }),
      async (shop) => {
        const { name, parent_id } = await shop.first(LEGACY)
        return { ids: [await anEmptyCategory(shop)], body: { name, parent_id } }
      },
    ],
  },
  {
    operation: `DELETE ${LEGACY}/:categoryId`,
    succeeds: [async (shop) => ({ ids: [await anEmptyCategory(shop)] })],
    fails: [{ ids: [NOBODY] }],
  },
]

export const categoryDrivers: Driver[] = [
  { operation: `GET ${TREES}`, succeeds: [{}], fails: [{ query: 'id:in=many' }] },
  {
    operation: `PUT ${TREES}`,
    succeeds: [
      async (shop) => ({ body: [{ name: 'Second tree', channels: [await aChannel(shop)] }] }),
      async ({ first }) => ({ body: [{ id: (await first(TREES)).id, name: 'Renamed' }] }),
    ],
    fails: [{ body: [{ name: 'No channel' }] }, { body: Array.from({ length: 51 }, () => ({ name: 'One of many' })) }],
  },
  {
    operation: `DELETE ${TREES}`,
    succeeds: [async ({ first }) => ({ query: `id:in=${(await first(TREES)).id}` })],
    fails: [{}],
  },
  {
    operation: `GET ${TREES}/:treeId/categories`,
    succeeds: [async ({ first }) => ({ ids: [(await first(TREES)).id] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `GET ${CATEGORIES}`,
    succeeds: [{}, { query: 'include_fields=name&limit=2&page=2' }],
    fails: [{ query: 'tree_id:in=many' }],
  },
  {
    operation: `POST ${CATEGORIES}`,
    succeeds: [
      async (shop) => ({ body: [await wholeCategory(shop)] }),
      async (shop) => ({ body: [await aCategory(shop), await aCategory(shop)] }),
    ],
    fails: [async (shop) => ({ body: [await aCategory(shop, { tree_id: NOBODY })] })],
  },
  {
    operation: `PUT ${CATEGORIES}`,
    succeeds: [
      async (shop) => {
        const { tree_id: _tree, ...fields } = await wholeCategory(shop)
        return { body: [{ category_id: await category(shop), ...fields }] }
      },
      async (shop) => ({
        body: [
          { category_id: await category(shop), name: 'Renamed' },
          { category_id: NOBODY, name: 'Nobody' },
        ],
      }),
    ],
    fails: [{ body: [{ category_id: NOBODY, name: 'Nobody' }] }],
  },
  {
    operation: `DELETE ${CATEGORIES}`,
    succeeds: [async (shop) => ({ query: `category_id:in=${await category(shop)}` })],
    fails: [{}],
  },
  {
    operation: `GET ${SORT_ORDER}`,
    succeeds: [async (shop) => ({ ids: (await sorted(shop)).ids })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `PUT ${SORT_ORDER}`,
    succeeds: [sorted],
    fails: [
      async (shop) => ({ ...(await sorted(shop)), ids: [NOBODY] }),
      async (shop) => ({ ...(await sorted(shop)), body: [{ product_id: NOBODY, sort_order: 2 }] }),
    ],
  },
  {
    operation: `POST ${IMAGE}`,
    succeeds: [async (shop) => ({ ids: [await category(shop)], body: pictureForm('lamps.png') })],
    fails: [
      { ids: [NOBODY], body: pictureForm('lamps.png') },
      async (shop) => ({ ids: [await category(shop)], body: pictureForm('lamps.png', Buffer.from('no picture')) }),
    ],
  },
  {
    operation: `DELETE ${IMAGE}`,
    succeeds: [async (shop) => ({ ids: [await category(shop)] })],
    fails: [{ ids: [NOBODY] }],
  },
  ...legacyDrivers,
]
