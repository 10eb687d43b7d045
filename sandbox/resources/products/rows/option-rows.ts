import { refuse } from '../../../http/answers.ts'
import type { Row, SandboxStore } from '../../../store/store.ts'
import { modifierTable, optionTable, optionValueTable } from '../../../tables/product-tables.ts'
import { bySortOrder } from '../../../tables/rows.ts'

type Answer = Record<string, unknown>

/**
 * The display type of an option that the platform derives from variants. The documentation contradicts itself; the
 * switch is radio buttons by default.
 */
export const DERIVED_OPTION_TYPE = 'radio_buttons'

export const CHOICE_TYPES = [
  'radio_buttons',
  'rectangles',
  'dropdown',
  'product_list',
  'product_list_with_images',
  'swatch',
] as const

export function optionAnswer(option: Row, values: Row[]): Answer {
  return { ...option, option_values: values.sort(bySortOrder).map(optionValueAnswer) }
}

export function optionValueAnswer({ id, label, sort_order, value_data, is_default }: Row): Answer {
  return { id, label, sort_order, value_data: value_data ?? null, is_default: is_default ?? false }
}

export function modifierAnswer(modifier: Row, values: Row[]): Answer {
  return { ...modifier, option_values: values.sort(bySortOrder).map(modifierValueAnswer) }
}

export function modifierValueAnswer(value: Row): Answer {
  return { ...optionValueAnswer(value), option_id: value.modifier_id, adjusters: value.adjusters }
}

/**
 * The platform's internal name, made of the display name, the creation time and the product. Clients should not use it.
 */
export function internalName(displayName: string, productId: number, nowMs: number): string {
  return `${displayName}${Math.floor(nowMs / 1000)}-${productId}`
}

/** A display name is unique per product, among options and modifiers. */
export function refuseTakenDisplayName(store: SandboxStore, productId: number, displayName: string, self?: Row): void {
  const others = [
    ...optionTable(store).find({ product_id: productId }),
    ...modifierTable(store).find({ product_id: productId }),
  ]
  const taken = others.some(
    (other) => sameText(other.display_name, displayName) && !(self && other.name === self.name && other.id === self.id),
  )
  if (!taken) return
  const message = `The display name ${displayName} has already been used on this product.`
  refuse(422, message, { display_name: message })
}

export function sameText(left: unknown, right: unknown): boolean {
  return String(left).toLowerCase() === String(right).toLowerCase()
}

export function insertOption(
  store: SandboxStore,
  productId: number,
  option: { display_name: string; type: string; config?: unknown; sort_order?: number; image_url?: string },
  nowMs: number,
): Row {
  return optionTable(store).insert({
    product_id: productId,
    name: internalName(option.display_name, productId, nowMs),
    display_name: option.display_name,
    type: option.type,
    config: option.config ?? [],
    sort_order: option.sort_order ?? 0,
    ...(option.image_url === undefined ? {} : { image_url: option.image_url }),
  })
}

export function insertOptionValue(
  store: SandboxStore,
  option: Row,
  value: Record<string, unknown>,
  order: number,
): Row {
  return optionValueTable(store).insert({
    option_id: option.id,
    product_id: option.product_id,
    label: value.label,
    sort_order: value.sort_order ?? order,
    value_data: value.value_data ?? null,
    is_default: value.is_default ?? false,
  })
}
