import { insertOption, insertOptionValue } from '../../resources/products/rows/option-rows.ts'
import { type Choice, insertVariantRow } from '../../resources/products/rows/variant-rows.ts'
import type { Row, SandboxStore } from '../../store/store.ts'

interface ValuePlan {
  label: string
  data?: unknown
}

interface OptionPlan {
  name: string
  type: string
  values: readonly ValuePlan[]
  /**
   * Whether it has the form that the platform gives to options derived from variants, so that a copy is equal to it.
   */
  isDerivedForm: boolean
}

const COLOURS: readonly ValuePlan[] = [
  { label: 'Midnight Blue', data: { colors: ['#191970'] } },
  { label: 'Rosé', data: { colors: ['#E8A9A9'] } },
  { label: 'Moss / Sand', data: { colors: ['#5A6E3A', '#D9C79E'] } },
  { label: 'Charcoal', data: { colors: ['#36454F'] } },
]

const labels = (...texts: string[]): ValuePlan[] => texts.map((label) => ({ label }))

const colour: OptionPlan = { name: 'Colour', type: 'swatch', values: COLOURS, isDerivedForm: false }

/** The second option of a product, or its only one. Products use them in turn, to cover every display type. */
const OTHERS: readonly OptionPlan[] = [
  { name: 'Size', type: 'radio_buttons', values: labels('S', 'M', 'L', 'XL'), isDerivedForm: true },
  { name: 'Length', type: 'dropdown', values: labels('Short', 'Regular', 'Long', 'Extra long'), isDerivedForm: false },
  { name: 'Größe', type: 'rectangles', values: labels('36', '38', '40', '42'), isDerivedForm: false },
  { name: 'Finish', type: 'radio_buttons', values: labels('Matt', 'Satin', 'Gloss', 'Raw'), isDerivedForm: true },
]

/** How many values the first and second options have. A 1 means that there is no second option. */
const SHAPES: readonly (readonly [number, number])[] = [
  [3, 1],
  [4, 1],
  [2, 3],
  [2, 4],
  [3, 3],
  [3, 4],
]

/** Six shapes have 42 variants in total, so over whole rounds the average is seven. */
const SHAPE_OF_THE_LAST_ROUND = [2, 3] as const

/**
 * Gives a product its options and variants.
 *
 * @param turn the number of earlier products with options; shapes and display types depend on it
 * @param inLastRound whether the product is in an incomplete last round. Those products get six variants each, which
 * brings the small seed to 3,000.
 */
export function seedOptionsAndVariants(store: SandboxStore, product: Row, turn: number, inLastRound: boolean): void {
  const [first, second] = inLastRound
    ? SHAPE_OF_THE_LAST_ROUND
    : (SHAPES[turn % SHAPES.length] ?? SHAPE_OF_THE_LAST_ROUND)
  const other = OTHERS[turn % OTHERS.length] ?? colour
  const plans = second > 1 ? [colour, other] : [turn % 2 === 0 ? colour : other]
  const counts = [first, second]
  const choices = plans.map((plan, at) => seedOption(store, product, plan, counts[at] ?? 1, at))
  const combinations = (choices[0] ?? []).flatMap((one) =>
    (choices[1] ?? [undefined]).map((two) => (two ? [one, two] : [one])),
  )
  for (const [at, combination] of combinations.entries()) seedVariant(store, product, combination, at, turn)
}

function seedOption(store: SandboxStore, product: Row, plan: OptionPlan, count: number, order: number): Choice[] {
  const { name: display_name, type, isDerivedForm } = plan
  const born = Date.parse(String(product.date_created))
  const option = insertOption(store, product.id, { display_name, type, sort_order: order }, born)
  return plan.values.slice(0, count).map(({ label, data }, at) => {
    const custom = isDerivedForm ? {} : { sort_order: count - at, is_default: type !== 'swatch' && at === 1 }
    const value = insertOptionValue(store, option, { label, value_data: data ?? null, ...custom }, at)
    return { option_id: option.id, id: value.id }
  })
}

/** Most variants inherit price and weight. Some have their own, and a few cannot be purchased. */
function seedVariant(store: SandboxStore, product: Row, choices: Choice[], at: number, turn: number): void {
  const ownPrice = (turn + at) % 3 === 0
  insertVariantRow(
    store,
    product.id,
    {
      sku: `${product.sku}-${String(at + 1).padStart(2, '0')}`,
      ...(ownPrice ? { price: Math.round((Number(product.price) + at * 1.25) * 100) / 100, cost_price: 3.3333 } : {}),
      ...((turn + at) % 5 === 0 ? { weight: Math.round((Number(product.weight) + 0.125) * 1_000) / 1_000 } : {}),
      ...((turn + at) % 11 === 0 ? { purchasing_disabled: true, purchasing_disabled_message: 'Back in spring' } : {}),
      ...((turn + at) % 13 === 0 ? { image_url: `${store.imageBase}/v/variant-${turn}-${at}.png` } : {}),
      inventory_level: (turn * 7 + at * 3) % 40,
      inventory_warning_level: 2,
      upc: `9${String(turn).padStart(8, '0')}${String(at).padStart(3, '0')}`,
      bin_picking_number: at % 4 === 0 ? `B-${at}` : '',
    },
    choices,
  )
}
