import { NO_SUCH_ID, type Shop } from '../contract-shop.ts'
import { at, type Driver, drive, theFirst } from '../driver.ts'

export const PRODUCTS = '/v3/catalog/products'
const PRODUCT = `${PRODUCTS}/:productId`
const EVERYTHING =
  'include=variants,images,custom_fields,bulk_pricing_rules,primary_image,modifiers,options,videos,channels'

export function product(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'Desk Lamp', type: 'physical', weight: 1.5, price: 30, ...fields }
}

/** Everything that a product may bring, and what hangs on it. */
async function wholeProduct(shop: Shop) {
  const category = Number((await shop.first('/v3/catalog/trees/categories')).category_id)
  return product({
    sku: 'LAMP',
    description: '<p>Bright</p>',
    width: 10,
    depth: 10.5,
    height: 40,
    cost_price: 10,
    retail_price: 35,
    sale_price: 28,
    map_price: 20,
    tax_class_id: 0,
    product_tax_code: 'P1',
    categories: [category],
    brand_id: (await shop.first('/v3/catalog/brands')).id,
    inventory_level: 5,
    inventory_warning_level: 1,
    inventory_tracking: 'product',
    fixed_cost_shipping_price: 3,
    is_free_shipping: false,
    is_visible: true,
    is_featured: true,
    related_products: [-1],
    warranty: 'Two years',
    bin_picking_number: 'A-1',
    layout_file: 'product.html',
    upc: '012345678905',
    search_keywords: 'lamp, light',
    availability: 'available',
    availability_description: 'Ships tomorrow',
    gift_wrapping_options_type: 'any',
    gift_wrapping_options_list: [],
    sort_order: 3,
    condition: 'New',
    is_condition_shown: true,
    order_quantity_minimum: 1,
    order_quantity_maximum: 9,
    page_title: 'Desk lamp',
    meta_keywords: ['lamp'],
    meta_description: 'A lamp for the desk',
    view_count: 7,
    preorder_message: '',
    is_preorder_only: false,
    is_price_hidden: false,
    price_hidden_label: '',
    custom_url: { url: '/desk-lamp/', is_customized: true },
    open_graph_type: 'product',
    open_graph_title: 'Desk lamp',
    open_graph_description: 'Bright',
    open_graph_use_meta_description: true,
    open_graph_use_product_name: true,
    open_graph_use_image: true,
    gtin: '00012345678905',
    mpn: 'DL-1',
    date_last_imported: '2026-01-02T03:04:05+00:00',
    custom_fields: [{ name: 'Care', value: 'Dust it' }],
    bulk_pricing_rules: [{ quantity_min: 10, quantity_max: 19, type: 'price', amount: 2 }],
    images: [{ image_url: shop.picture('lamp.png'), is_thumbnail: true, description: 'The lamp', sort_order: 1 }],
    videos: [
      { title: 'How to switch it on', description: 'Press', sort_order: 0, type: 'youtube', video_id: 'z3fRu9pkuXE' },
    ],
    variants: [
      { sku: 'LAMP-R', price: 31, option_values: [{ option_display_name: 'Colour', label: 'Red' }] },
      { sku: 'LAMP-B', option_values: [{ option_display_name: 'Colour', label: 'Blue' }] },
    ],
  })
}

const assignments = (field: 'channel_id' | 'category_id', other: (shop: Shop) => Promise<number>): Driver[] => {
  const path = `${PRODUCTS}/${field.replace('_id', '')}-assignments`
  const row = async (shop: Shop) => ({ product_id: (await shop.first(PRODUCTS)).id, [field]: await other(shop) })
  return [
    drive(`GET ${path}`, [{}, { query: 'limit=1&page=2' }], { query: 'product_id:in=many' }),
    drive(
      `PUT ${path}`,
      async (shop) => ({ body: [await row(shop)] }),
      async (shop) => ({ body: [{ ...(await row(shop)), product_id: NO_SUCH_ID }] }),
    ),
    drive(`DELETE ${path}`, async ({ first }) => ({ query: `product_id:in=${(await first(PRODUCTS)).id}` }), {}),
  ]
}

export const productDrivers: Driver[] = [
  drive(`GET ${PRODUCTS}`, [{}, { query: EVERYTHING }, { query: 'include_fields=name,price&limit=2&page=2' }], {
    query: 'limit=many',
  }),
  drive(
    `POST ${PRODUCTS}`,
    [
      { body: product() },
      async (shop) => ({ body: await wholeProduct(shop) }),
      { body: product({ inventory_level: -1 }) },
    ],
    [{ body: { name: 'No price' } }, async ({ first }) => ({ body: product({ name: (await first(PRODUCTS)).name }) })],
  ),
  drive(
    `PUT ${PRODUCTS}`,
    [
      async ({ first }) => ({ body: [{ id: (await first(PRODUCTS)).id, name: 'Renamed', price: 12.5 }] }),
      async ({ first }) => ({ body: [{ id: (await first(PRODUCTS)).id, inventory_level: -1 }] }),
    ],
    [
      { body: [{ id: NO_SUCH_ID, name: 'Unknown' }] },
      { body: [{ name: 'No id' }] },
      { body: Array.from({ length: 11 }, () => ({ id: NO_SUCH_ID, name: 'One of many' })) },
      async ({ first, made }) => {
        const { id } = await made('POST', PRODUCTS, product())
        return { body: [{ id, name: (await first(PRODUCTS)).name }] }
      },
    ],
  ),
  drive(`DELETE ${PRODUCTS}`, async ({ first }) => ({ query: `id:in=${(await first(PRODUCTS)).id}` }), {}),
  drive(`GET ${PRODUCT}`, [
    at(theFirst(PRODUCTS)),
    async (shop) => ({ ids: [(await shop.made('POST', PRODUCTS, await wholeProduct(shop))).id], query: EVERYTHING }),
  ]),
  drive(
    `PUT ${PRODUCT}`,
    [
      async (shop) => {
        const { variants: _variants, images: _images, ...fields } = await wholeProduct(shop)
        return { ids: [(await shop.first(PRODUCTS)).id], body: fields }
      },
      async ({ first, made }) => {
        const { custom_url } = await first(PRODUCTS)
        return { ids: [(await made('POST', PRODUCTS, product())).id], body: { custom_url } }
      },
    ],
    [
      { ids: [NO_SUCH_ID], body: { name: 'Unknown' } },
      at(theFirst(PRODUCTS), { body: { name: 'n'.repeat(251) } }),
      async ({ first, made }) => ({
        ids: [(await made('POST', PRODUCTS, product())).id],
        body: { name: (await first(PRODUCTS)).name },
      }),
    ],
  ),
  drive(`DELETE ${PRODUCT}`, at(theFirst(PRODUCTS))),
  ...assignments('channel_id', async () => 1),
  ...assignments('category_id', async ({ first }) => Number((await first('/v3/catalog/trees/categories')).category_id)),
  // No parameters: see the store's own operations.
  drive('GET /v3/catalog/summary'),
]
