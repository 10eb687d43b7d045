import { insertCheckboxValues, modifierValues } from '../../resources/products/rows/modifier-rules.ts'
import { internalName } from '../../resources/products/rows/option-rows.ts'
import { saveValue, valuesOf } from '../../resources/products/rows/values.ts'
import type { Row } from '../../store/store.ts'
import { complexRuleTable, modifierTable, modifierValueTable, variantTable } from '../../tables/product-tables.ts'
import { type AwkwardProduct, type AwkwardShop, filled, goneId, idIn } from './awkward-shop.ts'

interface ModifierPlan {
  display_name: string
  type: string
  required?: boolean
  config?: unknown
  values?: readonly Record<string, unknown>[]
}

const FREE: readonly ModifierPlan[] = [
  {
    display_name: 'Date in a range',
    type: 'date',
    config: {
      default_value: '2027-03-01T00:00:00+14:00',
      date_limited: true,
      date_limit_mode: 'range',
      date_earliest_value: '2027-01-01T00:00:00-11:00',
      date_latest_value: '2027-12-31T23:59:59+05:45',
    },
  },
  {
    display_name: 'Date, later',
    type: 'date',
    required: true,
    config: { date_limited: true, date_limit_mode: 'earliest', date_earliest_value: '2027-01-01T00:00:00+00:00' },
  },
  {
    display_name: 'Date, sooner',
    type: 'date',
    config: { date_limited: true, date_limit_mode: 'latest', date_latest_value: '2027-01-01T00:00:00+00:00' },
  },
  { display_name: 'Any date', type: 'date', config: { date_limited: false } },
  {
    display_name: 'File',
    type: 'file',
    config: {
      file_types_mode: 'specific',
      file_types_supported: ['images', 'documents', 'other'],
      file_types_other: ['pdf', 'ai'],
      file_max_size: 500,
    },
  },
  { display_name: 'Any file', type: 'file', required: true, config: { file_types_mode: 'all', file_max_size: 5 } },
  {
    display_name: 'Text',
    type: 'text',
    config: { default_value: 'أهلا 🎈 <b>"', text_characters_limited: true, text_min_length: 1, text_max_length: 30 },
  },
  {
    display_name: 'Lines',
    type: 'multi_line_text',
    config: { default_value: 'one\ntwo', text_lines_limited: true, text_max_lines: 4 },
  },
  {
    display_name: 'Number',
    type: 'numbers_only_text',
    config: {
      default_value: '3',
      number_limited: true,
      number_limit_mode: 'range',
      number_lowest_value: -1.5,
      number_highest_value: 99.75,
      number_integers_only: false,
    },
  },
  { display_name: 'Without settings', type: 'text', config: [] },
]

const NO_CHANGE = { price: { adjuster: null, adjuster_value: 0 }, weight: { adjuster: null, adjuster_value: 0 } }

/**
 * Values that make a product more expensive, cheaper, heavier by a tiny amount, show another picture, or prevent its
 * sale.
 */
const ADJUSTED: readonly Record<string, unknown>[] = [
  { label: 'As it is', is_default: true },
  { label: 'Dearer', adjusters: { price: { adjuster: 'relative', adjuster_value: 4.9999 } } },
  { label: 'Cheaper', adjusters: { price: { adjuster: 'percentage', adjuster_value: -12.25 } } },
  { label: 'Heavier', adjusters: { weight: { adjuster: 'relative', adjuster_value: 0.0001 } } },
  { label: 'Lighter', adjusters: { weight: { adjuster: 'percentage', adjuster_value: -50 } } },
  { label: 'With a picture', adjusters: { image_url: 'https://shop.example/adjusted.png' } },
  { label: 'Sold out', adjusters: { purchasing_disabled: { status: true, message: 'Sold “out”' } } },
  { label: 'Nulls', adjusters: NO_CHANGE, sort_order: -3 },
]

const CHOICES: readonly ModifierPlan[] = [
  { display_name: 'Radio', type: 'radio_buttons', required: true, values: ADJUSTED },
  { display_name: 'Rectangles', type: 'rectangles', values: ADJUSTED },
  { display_name: 'Dropdown', type: 'dropdown', values: ADJUSTED },
  {
    display_name: filled('A modifier as long as may be ', 255),
    type: 'swatch',
    values: [{ label: filled('Value ', 255), value_data: { colors: ['#FFF', '#000000'] } }],
  },
]

/** Products with every type of modifier, one of each kind of rule, and product lists. */
export const MODIFIER_PRODUCTS: readonly AwkwardProduct[] = [
  {
    name: 'Every free modifier',
    fields: { sku: 'MODIFIERS-FREE' },
    grow: addModifiers(FREE),
  },
  {
    name: 'Every modifier of choices',
    fields: { sku: 'MODIFIERS-CHOICE' },
    grow: addModifiers(CHOICES),
  },
  { name: 'Checkboxes', fields: { sku: 'CHECKBOXES' }, grow: plantCheckboxes },
  { name: 'Lists of products', fields: { sku: 'PRODUCT-LISTS' }, link: plantProductLists },
  { name: 'Complex rules', fields: { sku: 'RULES' }, grow: plantComplexRules },
]

function addModifiers(plans: readonly ModifierPlan[]): NonNullable<AwkwardProduct['grow']> {
  return (shop, product) => {
    for (const plan of plans) addModifier(shop, product, plan)
  }
}

function addModifier({ store }: AwkwardShop, product: Row, { values = [], ...plan }: ModifierPlan): Row {
  const modifier = modifierTable(store).insert({
    product_id: product.id,
    name: internalName(plan.display_name, product.id, Date.parse(String(product.date_created))),
    required: false,
    sort_order: modifierTable(store).count({ product_id: product.id }),
    config: [],
    ...plan,
  })
  if (modifier.type === 'checkbox') insertCheckboxValues(store, modifier)
  for (const value of values) saveValue(store, modifierValues, modifier, value)
  return modifier
}

/**
 * Adds a checkbox that costs extra when checked, one that costs extra when not checked, and one that is checked by
 * default.
 */
function plantCheckboxes(shop: AwkwardShop, product: Row): void {
  const adjusters = {
    price: { adjuster: 'relative', adjuster_value: 4.5 },
    weight: { adjuster: 'percentage', adjuster_value: 10 },
  }
  for (const [display_name, checked_by_default, adjusted] of [
    ['Gift box', false, 'Yes'],
    ['Keep the box', true, 'No'],
    ['I have read it', true, 'Neither'],
  ] as const) {
    const config = { checkbox_label: `${display_name}? <b>&</b>`, checked_by_default }
    const modifier = addModifier(shop, product, {
      display_name,
      type: 'checkbox',
      required: checked_by_default,
      config,
    })
    for (const value of valuesOf(shop.store, modifierValues, modifier))
      if (value.label === adjusted) saveValue(shop.store, modifierValues, modifier, { adjusters }, value)
  }
}

/**
 * Lists an earlier product, a later one, itself, and a deleted one. Written as rows, because no call accepts the last.
 */
function plantProductLists(shop: AwkwardShop, product: Row): void {
  const config = {
    product_list_adjusts_inventory: true,
    product_list_adjusts_pricing: false,
    product_list_shipping_calc: 'weight',
  }
  for (const type of ['product_list', 'product_list_with_images']) {
    const value = (label: string, product_id: number) => ({ label, value_data: { product_id } })
    const values = [
      value('An earlier one', idIn(shop.products, 'X')),
      value('A later one', idIn(shop.products, 'Last of the awkward')),
      value('Itself', product.id),
    ]
    const modifier = addModifier(shop, product, { display_name: `Goes with (${type})`, type, config, values })
    saveValue(shop.store, modifierValues, modifier, value('Gone', goneId(shop.store, 'products')))
  }
}

function plantComplexRules(shop: AwkwardShop, product: Row): void {
  const { store } = shop
  const [one, other] = ['Colour', 'Size'].map((display_name) =>
    addModifier(shop, product, { display_name, type: 'dropdown', values: [{ label: 'a' }, { label: 'b' }] }),
  )
  const condition = (modifier: Row | undefined, at: number) => ({
    modifier_id: modifier?.id ?? null,
    modifier_value_id: modifierValueTable(store).find({ modifier_id: modifier?.id ?? 0 })[at]?.id ?? null,
    variant_id: null,
  })
  const variant_id = variantTable(store).find({ product_id: product.id })[0]?.id ?? null
  const base = { modifier_id: null, modifier_value_id: null, variant_id }
  const rules = [
    {
      conditions: [condition(one, 0), condition(other, 0)],
      price_adjuster: { adjuster: 'relative', adjuster_value: 1.2345 },
    },
    {
      conditions: [condition(one, 1), condition(other, 1)],
      weight_adjuster: { adjuster: 'percentage', adjuster_value: -5 },
      stop: true,
    },
    {
      conditions: [condition(one, 0), base],
      purchasing_disabled: true,
      purchasing_disabled_message: 'Not together',
      sort_order: -1,
    },
    {
      conditions: [condition(one, 0), condition(other, 1)],
      purchasing_hidden: true,
      enabled: false,
      image_url: 'https://shop.example/rule.png',
    },
  ]
  for (const rule of rules) complexRuleTable(store).insert({ product_id: product.id, ...PLAIN_RULE, ...rule })
}

const PLAIN_RULE = {
  sort_order: 0,
  enabled: true,
  stop: false,
  purchasing_disabled: false,
  purchasing_disabled_message: '',
  purchasing_hidden: false,
  image_url: '',
  price_adjuster: {},
  weight_adjuster: {},
}
