import { pictureForm } from '../../../picture-form.ts'
import { NO_SUCH_ID, type Shop } from '../contract-shop.ts'
import { at, type Driver, drive } from '../driver.ts'
import { PRODUCTS, product } from './product-drivers.ts'

const OF_PRODUCT = `${PRODUCTS}/:productId`

type Body = Record<string, unknown>

/** Options and modifiers have the same ten calls. */
interface AttributeKind {
  folder: 'options' | 'modifiers'
  parameter: string
  attribute: Body
  /** Attributes of other types that must be taken too. */
  others: Body[]
  change: Body
  value: Body
}

const SWATCHES = [
  { label: 'Red', sort_order: 0, is_default: true, value_data: { colors: ['#ff0000'] } },
  { label: 'Blue', sort_order: 1, is_default: false, value_data: { colors: ['#0000ff'] } },
]

const TEXT_CONFIG = {
  default_value: 'Your name',
  text_characters_limited: true,
  text_min_length: 1,
  text_max_length: 20,
}

const OPTION: AttributeKind = {
  folder: 'options',
  parameter: 'optionId',
  attribute: { display_name: 'Colour', type: 'swatch', sort_order: 1, option_values: SWATCHES },
  others: [
    {
      display_name: 'Size',
      type: 'rectangles',
      option_values: [
        { label: 'S', sort_order: 0 },
        { label: 'L', sort_order: 1 },
      ],
    },
  ],
  change: { display_name: 'Shade', sort_order: 4 },
  value: { label: 'Green', sort_order: 2, is_default: false, value_data: { colors: ['#00ff00'] } },
}

const ADJUSTERS = {
  price: { adjuster: 'relative', adjuster_value: 5 },
  weight: { adjuster: 'percentage', adjuster_value: 10 },
  image_url: '',
  purchasing_disabled: { status: true, message: 'Sold out' },
}

const MODIFIER: AttributeKind = {
  folder: 'modifiers',
  parameter: 'modifierId',
  attribute: {
    display_name: 'Shade',
    type: 'dropdown',
    required: true,
    sort_order: 1,
    option_values: [{ label: 'Silk', sort_order: 0, is_default: true, adjusters: ADJUSTERS }],
  },
  others: [
    {
      display_name: 'Gift',
      type: 'checkbox',
      required: false,
      config: { checkbox_label: 'Wrap', checked_by_default: true },
    },
    { display_name: 'Text', type: 'text', required: false, config: TEXT_CONFIG },
    {
      display_name: 'Day',
      type: 'date',
      required: false,
      config: {
        date_limited: true,
        date_limit_mode: 'range',
        date_earliest_value: '2026-01-01T00:00:00+00:00',
        date_latest_value: '2027-01-01T00:00:00+00:00',
      },
    },
    {
      display_name: 'Number',
      type: 'numbers_only_text',
      required: false,
      config: { number_limited: true, number_limit_mode: 'lowest', number_lowest_value: 1, number_integers_only: true },
    },
    {
      display_name: 'Drawing',
      type: 'file',
      required: false,
      config: { file_types_mode: 'specific', file_types_supported: ['images'], file_max_size: 5 },
    },
    {
      display_name: 'Lines',
      type: 'multi_line_text',
      required: false,
      config: { text_lines_limited: true, text_max_lines: 3 },
    },
  ],
  change: { display_name: 'Hood', type: 'dropdown', required: false },
  value: { label: 'Linen', sort_order: 2, is_default: false, adjusters: ADJUSTERS },
}

interface Made {
  productId: number
  attributeId: number
  valueId: number
}

async function anAttribute({ made }: Shop, { folder, attribute }: AttributeKind): Promise<Made> {
  const { id: productId } = await made('POST', PRODUCTS, product())
  const { id: attributeId, option_values } = await made('POST', `${PRODUCTS}/${productId}/${folder}`, attribute)
  return { productId, attributeId, valueId: (option_values as { id: number }[])[0]?.id ?? 0 }
}

function attributeDrivers(kind: AttributeKind): Driver[] {
  const [all, one] = [`${OF_PRODUCT}/${kind.folder}`, `${OF_PRODUCT}/${kind.folder}/:${kind.parameter}`]
  const aProduct = async ({ made }: Shop) => (await made('POST', PRODUCTS, product())).id
  const attribute = async (shop: Shop) => {
    const { productId, attributeId } = await anAttribute(shop, kind)
    return [productId, attributeId]
  }
  const value = async (shop: Shop) => {
    const { productId, attributeId, valueId } = await anAttribute(shop, kind)
    return [productId, attributeId, valueId]
  }
  const noValue = async (shop: Shop) => [...(await attribute(shop)), NO_SUCH_ID]
  const noAttribute = async (shop: Shop) => [await aProduct(shop), NO_SUCH_ID]
  return [
    drive(`GET ${all}`, at(attribute), { ids: [NO_SUCH_ID] }),
    drive(
      `POST ${all}`,
      [kind.attribute, ...kind.others].map((body) => async (shop: Shop) => ({
        ids: [await aProduct(shop)],
        body,
      })),
      [at(aProduct, { body: { display_name: 'No type' } }), at(attribute, { body: kind.attribute })],
    ),
    drive(`GET ${one}`, at(attribute), at(noAttribute)),
    drive(`PUT ${one}`, at(attribute, { body: kind.change }), [
      at(attribute, { body: { display_name: 'n'.repeat(256) } }),
      async (shop) => {
        const [productId = 0, attributeId = 0] = await attribute(shop)
        await shop.made('POST', `${PRODUCTS}/${productId}/${kind.folder}`, {
          ...kind.attribute,
          display_name: 'Other',
        })
        return { ids: [productId, attributeId], body: { display_name: 'Other' } }
      },
    ]),
    drive(`DELETE ${one}`, at(attribute), at(noAttribute)),
    drive(`GET ${one}/values`, at(attribute), at(noAttribute)),
    drive(`POST ${one}/values`, at(attribute, { body: kind.value }), at(attribute, { body: { sort_order: 3 } })),
    drive(`GET ${one}/values/:valueId`, at(value), at(noValue)),
    drive(`PUT ${one}/values/:valueId`, at(value, { body: { ...kind.value, label: 'Wool' } }), [
      at(noValue, { body: kind.value }),
      at(value, { body: { ...kind.value, label: '' } }),
    ]),
    drive(`DELETE ${one}/values/:valueId`, at(value), at(noValue)),
  ]
}

const VARIANTS = '/v3/catalog/variants'
const OF_ONE = `${OF_PRODUCT}/variants`
const VARIANT = `${OF_ONE}/:variantId`

async function aVariant({ first }: Shop): Promise<number[]> {
  const { id, product_id } = await first(VARIANTS)
  return [Number(product_id), id]
}

/** A new variant for a product with a colour that has no variants yet. */
async function newVariant(shop: Shop) {
  const { productId, attributeId, valueId } = await anAttribute(shop, OPTION)
  return {
    ids: [productId],
    body: { sku: 'LAMP-RED', price: 31, option_values: [{ id: valueId, option_id: attributeId }] },
  }
}

const VARIANT_FIELDS = {
  sku: 'LAMP-X',
  price: 33.5,
  sale_price: 30,
  retail_price: 40,
  cost_price: 12,
  weight: 2,
  width: 3,
  height: 4,
  depth: 5,
  upc: '012345678905',
  mpn: 'MPN',
  gtin: '00012345678905',
  bin_picking_number: 'A-2',
  inventory_level: 3,
  inventory_warning_level: 1,
  is_free_shipping: true,
  fixed_cost_shipping_price: 2,
  purchasing_disabled: true,
  purchasing_disabled_message: 'Later',
}

const variantDrivers: Driver[] = [
  drive(`GET ${VARIANTS}`, [{}, { query: 'limit=1&page=2' }], { query: 'id:in=many' }),
  drive(`PUT ${VARIANTS}`, async (shop) => ({ body: [{ id: (await aVariant(shop))[1], ...VARIANT_FIELDS }] }), [
    { body: [{ id: NO_SUCH_ID, price: 1 }] },
    { body: Array.from({ length: 51 }, () => ({ id: NO_SUCH_ID, price: 1 })) },
  ]),
  drive(`GET ${OF_ONE}`, at(aVariant), { ids: [NO_SUCH_ID] }),
  drive(
    `POST ${OF_ONE}`,
    [
      newVariant,
      async (shop) => {
        const { ids, body } = await newVariant(shop)
        return { ids, body: { ...body, inventory_level: -1 } }
      },
    ],
    [
      async (shop) => ({ ...(await newVariant(shop)), ids: [NO_SUCH_ID] }),
      async (shop) => {
        const { ids, body } = await newVariant(shop)
        return { ids, body: { ...body, option_values: [{ id: NO_SUCH_ID, option_id: NO_SUCH_ID }] } }
      },
    ],
  ),
  drive(`GET ${VARIANT}`, at(aVariant), async ({ first }) => ({ ids: [(await first(PRODUCTS)).id, NO_SUCH_ID] })),
  drive(
    `PUT ${VARIANT}`,
    [at(aVariant, { body: VARIANT_FIELDS }), at(aVariant, { body: { inventory_level: -1 } })],
    async ({ first }) => ({ ids: [(await first(PRODUCTS)).id, NO_SUCH_ID], body: VARIANT_FIELDS }),
  ),
  drive(`DELETE ${VARIANT}`, at(aVariant), async ({ first }) => ({ ids: [(await first(PRODUCTS)).id, NO_SUCH_ID] })),
  drive(
    `POST ${VARIANT}/image`,
    [
      async (shop) => ({ ids: await aVariant(shop), body: { image_url: shop.picture('red.png') } }),
      at(aVariant, { body: pictureForm('red.png') }),
    ],
    [
      async (shop) => ({ ids: await aVariant(shop), body: { image_url: shop.picture('missing.png') } }),
      async (shop) => ({ ids: await aVariant(shop), body: pictureForm('red.png', Buffer.from('no picture')) }),
      at(aVariant, { body: pictureForm('red.png', Buffer.alloc(1024 * 1024 + 1)) }),
      at(aVariant, { body: {} }),
      async (shop) => ({
        ids: [(await shop.first(PRODUCTS)).id, NO_SUCH_ID],
        body: { image_url: shop.picture('red.png') },
      }),
    ],
  ),
]

const MODIFIER_IMAGE = `${OF_PRODUCT}/modifiers/:modifierId/values/:valueId/image`

async function aModifierValue(shop: Shop): Promise<number[]> {
  const { productId, attributeId, valueId } = await anAttribute(shop, MODIFIER)
  return [productId, attributeId, valueId]
}

const modifierImageDriver: Driver = drive(
  `POST ${MODIFIER_IMAGE}`,
  at(aModifierValue, { body: pictureForm('silk.png') }),
  [
    async (shop) => ({ ids: (await aModifierValue(shop)).with(2, NO_SUCH_ID), body: pictureForm('silk.png') }),
    async (shop) => ({ ids: await aModifierValue(shop), body: pictureForm('silk.png', Buffer.from('no picture')) }),
  ],
)

export const optionAndVariantDrivers: Driver[] = [
  ...attributeDrivers(OPTION),
  ...attributeDrivers(MODIFIER),
  modifierImageDriver,
  ...variantDrivers,
]
