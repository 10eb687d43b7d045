import { insertCheckboxValues, modifierValues } from '../../resources/products/rows/modifier-rules.ts'
import { internalName } from '../../resources/products/rows/option-rows.ts'
import { saveValue } from '../../resources/products/rows/values.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { modifierTable, modifierValueTable } from '../../tables/product-tables.ts'

type Plan = (store: SandboxStore, product: Row) => void

/** Adds modifiers to a product, one kind after another. Every fifth product gets two. */
export function seedModifiers(store: SandboxStore, product: Row, turn: number): void {
  PLANS[turn % PLANS.length]?.(store, product)
  if (turn % 5 === 4) PLANS[(turn + 1) % PLANS.length]?.(store, product)
}

const engraving: Plan = (store, product) => {
  insertModifier(store, product, 'Engraving', 'text', false, {
    default_value: '',
    text_characters_limited: true,
    text_min_length: 1,
    text_max_length: 30,
  })
}

const giftBox: Plan = (store, product) => {
  const modifier = insertModifier(store, product, 'Gift box', 'checkbox', false, {
    checkbox_label: 'Pack it as a gift (+ 4.50)',
    checked_by_default: false,
  })
  insertCheckboxValues(store, modifier)
  const yes = modifierValueTable(store).find({ modifier_id: modifier.id })[0]
  const adjusters = { price: { adjuster: 'relative', adjuster_value: 4.5 } }
  if (yes) saveValue(store, modifierValues, modifier, { adjusters }, yes)
}

const warranty: Plan = (store, product) => {
  const modifier = insertModifier(store, product, 'Warranty', 'dropdown', true, [])
  for (const [years, percent] of [
    [1, 0],
    [3, 7.5],
    [5, 12.25],
  ]) {
    saveValue(store, modifierValues, modifier, {
      label: `${years} year${years === 1 ? '' : 's'}`,
      is_default: years === 1,
      adjusters: {
        price: percent === 0 ? {} : { adjuster: 'percentage', adjuster_value: percent },
        weight: { adjuster: 'relative', adjuster_value: 0.05 },
      },
    })
  }
}

const delivery: Plan = (store, product) => {
  insertModifier(store, product, 'Deliver on', 'date', false, {
    default_value: '',
    date_limited: true,
    date_limit_mode: 'range',
    date_earliest_value: '2026-01-01T00:00:00+00:00',
    date_latest_value: '2028-12-31T00:00:00+00:00',
  })
}

const PLANS: readonly Plan[] = [engraving, giftBox, warranty, delivery]

function insertModifier(
  store: SandboxStore,
  product: Row,
  displayName: string,
  type: string,
  required: boolean,
  config: unknown,
): Row {
  return modifierTable(store).insert({
    product_id: product.id,
    name: internalName(displayName, product.id, Date.parse(String(product.date_created))),
    display_name: displayName,
    type,
    required,
    sort_order: modifierTable(store).count({ product_id: product.id }),
    config,
  })
}
