import { insertOption, insertOptionValue } from '../../resources/products/rows/option-rows.ts'
import { type Choice, insertVariantRow } from '../../resources/products/rows/variant-rows.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { optionValueTable, variantMetafieldTable } from '../../tables/product-tables.ts'
import { type AwkwardProduct, type AwkwardShop, filled, idIn } from './awkward-shop.ts'
import { seedMetafieldsOfEveryKind } from './metafields.ts'

interface OptionPlan {
  display_name: string
  type: string
  config?: unknown
  sort_order?: number
  values: readonly Record<string, unknown>[]
}

const numbered = (label: string, count: number) =>
  Array.from({ length: count }, (_none, at) => ({ label: `${label} ${at + 1}` }))
const labels = (...texts: string[]) => texts.map((label) => ({ label }))

/** One product for each display type. The values of product lists follow once all products exist. */
const TYPES: readonly OptionPlan[] = [
  { display_name: 'Buttons', type: 'radio_buttons', values: labels('S', 'M', 'L') },
  { display_name: 'Boxes', type: 'rectangles', values: labels('36', '37½', '38 2/3') },
  {
    display_name: 'List',
    type: 'dropdown',
    values: [
      { label: 'b', sort_order: 7 },
      { label: 'a', sort_order: -7, is_default: true },
    ],
  },
  { display_name: 'Products', type: 'product_list', values: labels('An earlier one', 'A later one') },
  { display_name: 'Products with pictures', type: 'product_list_with_images', values: labels('Itself', 'Another') },
  {
    display_name: 'Swatches',
    type: 'swatch',
    values: [
      { label: 'One colour', value_data: { colors: ['#FF0000'] } },
      { label: 'Three colours', value_data: { colors: ['#FF0000', '#00ff00', '#0000FF'] } },
      { label: 'A pattern', value_data: { image_url: 'https://shop.example/pattern.png' } },
    ],
  },
]

/** Labels that would be equal without case, accents or spaces. */
const TWINS = labels(
  'Crème'.normalize('NFC'),
  'Crème'.normalize('NFD'),
  'Creme',
  'L',
  'L ',
  'حجم كبير',
  '🟥',
  '<b>&amp;</b>',
)

const MOST_VALUES = 250

const product = (
  name: string,
  sku: string,
  plans: readonly OptionPlan[],
  more?: Partial<AwkwardProduct>,
): AwkwardProduct => ({
  name,
  fields: { sku, inventory_tracking: 'variant' },
  in: ['Men/Shoes'],
  hasOptions: true,
  grow: ({ store }, row) => plantVariants(store, row, sku, plans),
  ...more,
})

export const OPTION_PRODUCTS: readonly AwkwardProduct[] = [
  product('600 variants', 'V600', [
    { display_name: 'Colour', type: 'swatch', values: numbered('Colour', 30) },
    { display_name: 'Size', type: 'rectangles', values: numbered('Size', 20) },
  ]),
  product('250 values', 'V250', [
    { display_name: 'Number', type: 'dropdown', values: numbered('Number', MOST_VALUES) },
  ]),
  ...TYPES.map((plan) =>
    product(`Option of type ${plan.type}`, `TYPE-${plan.type}`, [plan], { link: pointAtProducts }),
  ),
  product('Values that look alike', 'TWINS', [{ display_name: 'Variant', type: 'radio_buttons', values: TWINS }]),
  product(
    'Four options',
    'FOUR',
    ['One', 'Two', 'Three', 'Four'].map((display_name, at) => ({
      display_name,
      type: 'dropdown',
      sort_order: 4 - at,
      values: labels('yes', 'no'),
    })),
  ),
  product('Long names of options', 'LONG-OPTION', [
    {
      display_name: filled('An option as long as may be ', 255),
      type: 'radio_buttons',
      values: labels(filled('Value ', 255), '0'),
    },
  ]),
  product('Every variant is different', 'DIFFERENT', [], { grow: plantDifferentVariants }),
  product('Picture of a variant gone', 'GONE-PICTURE', [], { grow: plantVariantPictures }),
  product('Not all combinations', 'SPARSE', [], { grow: plantSparseVariants }),
]

function plantOption(store: SandboxStore, owner: Row, plan: OptionPlan, order: number): Choice[] {
  const { values, ...option } = plan
  const row = insertOption(store, owner.id, { sort_order: order, ...option }, bornMs(owner))
  return values.map((value, at) => ({ option_id: row.id, id: insertOptionValue(store, row, value, at).id }))
}

function bornMs(owner: Row): number {
  return Date.parse(String(owner.date_created))
}

function plantVariants(store: SandboxStore, owner: Row, sku: string, plans: readonly OptionPlan[]): void {
  const choices = plans.map((plan, at) => plantOption(store, owner, plan, at))
  for (const [at, combination] of combinationsOf(choices).entries()) {
    const values = { sku: `${sku}-${at + 1}`, inventory_level: at % 13, inventory_warning_level: at % 3 }
    insertVariantRow(store, owner.id, values, combination)
  }
}

function combinationsOf(choices: readonly Choice[][]): Choice[][] {
  return choices.reduce<Choice[][]>(
    (so_far, more) => so_far.flatMap((one) => more.map((choice) => [...one, choice])),
    [[]],
  )
}

/** Variants with null, an empty text, zero or a value in each field. */
const DIFFERENT: readonly Record<string, unknown>[] = [
  {
    sku: '',
    upc: null,
    mpn: null,
    gtin: null,
    inventory_level: null,
    inventory_warning_level: null,
    bin_picking_number: null,
  },
  { sku: '', upc: '', mpn: '', gtin: '' },
  {
    sku: 'DIFFERENT-0',
    price: 0,
    sale_price: 0,
    retail_price: 0,
    cost_price: 0,
    weight: 0,
    width: 0,
    height: 0,
    depth: 0,
  },
  { sku: 'DIFFERENT-4', price: 1.2345, sale_price: 1.0001, retail_price: 2.3456, map_price: 1.1111, weight: 0.0001 },
  { sku: 'DIFFERENT-OFF', purchasing_disabled: true, purchasing_disabled_message: filled('Not now. ', 255) },
  {
    sku: 'DIFFERENT-FREE',
    is_free_shipping: true,
    fixed_cost_shipping_price: 0.5,
    upc: '12345678901234',
    gtin: '12345678901234',
  },
  { sku: filled('DIFFERENT-LONG-', 255), mpn: filled('MPN-', 255), bin_picking_number: filled('BIN-', 255) },
]

function plantDifferentVariants({ store }: AwkwardShop, owner: Row): void {
  const choices = plantOption(store, owner, { display_name: 'Kind', type: 'dropdown', values: labels(...'abcdefg') }, 0)
  const [first] = choices.map((choice, at) => insertVariantRow(store, owner.id, { ...DIFFERENT[at] }, [choice]))
  seedMetafieldsOfEveryKind(store, 'variant', variantMetafieldTable(store), first?.id ?? 0)
}

/** One variant has a picture, one has a picture that cannot be downloaded, and one has none. */
function plantVariantPictures({ store }: AwkwardShop, owner: Row): void {
  const plan = { display_name: 'Picture', type: 'dropdown', values: labels('There', 'Gone', 'None') }
  const files = ['/v/of-a-variant.png', '/v/missing-variant.png']
  for (const [at, choice] of plantOption(store, owner, plan, 0).entries()) {
    const image_url = files[at] ? `${store.imageBase}${files[at]}` : ''
    insertVariantRow(store, owner.id, { sku: `GONE-PICTURE-${at}`, image_url }, [choice])
  }
}

/** Only three of the nine combinations are for sale, and none of them has the third value. */
function plantSparseVariants({ store }: AwkwardShop, owner: Row): void {
  const [heights, widths] = ['Height', 'Width'].map((display_name, at) =>
    plantOption(store, owner, { display_name, type: 'rectangles', values: labels('1', '2', 'Nowhere') }, at),
  )
  for (const [at, pair] of [
    [0, 0],
    [1, 1],
    [1, 0],
  ].entries()) {
    const combination = [heights?.[pair[0] ?? 0], widths?.[pair[1] ?? 0]].filter((choice) => choice !== undefined)
    insertVariantRow(store, owner.id, { sku: `SPARSE-${at}` }, combination)
  }
}

/** Points each value at a product: one created earlier, one created later, or the product itself. */
function pointAtProducts(shop: AwkwardShop, owner: Row): void {
  const targets: Record<string, number> = {
    'An earlier one': idIn(shop.products, 'X'),
    'A later one': idIn(shop.products, 'Last of the awkward'),
    Itself: owner.id,
    Another: idIn(shop.products, '600 variants'),
  }
  const values = optionValueTable(shop.store)
  for (const value of values.find({ product_id: owner.id })) {
    const product_id = targets[String(value.label)]
    if (product_id !== undefined) values.update(value.id, { value_data: { product_id } })
  }
}
