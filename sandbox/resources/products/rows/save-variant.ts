import { Refusal, refuse, v3Error } from '../../../http/answers.ts'
import type { Row, SandboxStore } from '../../../store/store.ts'
import { deleteVariant, productTable, variantTable } from '../../../tables/product-tables.ts'
import { refuseIfAny } from '../../../validation/body-checks.ts'
import { readFields } from '../../../validation/field-rules.ts'
import { VARIANT_FIELDS, VARIANTS_PER_PRODUCT } from '../../../validation/product-fields.ts'
import { sameText } from './option-rows.ts'
import {
  type Choice,
  choices,
  insertBaseVariant,
  insertVariantRow,
  isBase,
  type OptionLabels,
  optionLabels,
  skuTaken,
  takeVariantImage,
} from './variant-rows.ts'

/** Creates one variant of an existing product. Its options and values must exist; they are named by id or label. */
export function createVariant(store: SandboxStore, product: Row, body: Record<string, unknown>): Row {
  const { values, errors } = readFields(VARIANT_FIELDS, body)
  refuseIfAny(errors)
  const optionValues = existingChoices(store, product.id, body.option_values)
  refuseSameCombination(store, product.id, optionValues)
  if (variantTable(store).count({ product_id: product.id }) >= VARIANTS_PER_PRODUCT) {
    refuseIfAny({ variants: `A product can have at most ${VARIANTS_PER_PRODUCT} variants` })
  }
  const sku = String(values.sku ?? '')
  if (skuTaken(store, sku)) refuseTakenSku(sku)
  dropBaseVariant(store, product)
  return insertVariantRow(store, product.id, values, optionValues)
}

export function updateVariant(store: SandboxStore, variant: Row, body: Record<string, unknown>): Row {
  const { values, errors } = readFields(VARIANT_FIELDS, body)
  refuseIfAny(errors)
  if (typeof values.sku === 'string') {
    const ownProductId = isBase(variant) ? Number(variant.product_id) : undefined
    if (skuTaken(store, values.sku, ownProductId, variant.id)) refuseTakenSku(values.sku)
    values.sku_id = values.sku ? variant.id : null
    if (isBase(variant)) productTable(store).update(Number(variant.product_id), { sku: values.sku })
  }
  return variantTable(store).update(variant.id, takeVariantImage(values))
}

/** A product with real variants has no base variant. */
function dropBaseVariant(store: SandboxStore, product: Row): void {
  if (product.base_variant_id === null) return
  deleteVariant(store, Number(product.base_variant_id))
  productTable(store).update(product.id, { base_variant_id: null })
}

function existingChoices(store: SandboxStore, productId: number, given: unknown): Choice[] {
  const labels = optionLabels(store, [productId])
  if (!Array.isArray(given) || given.length === 0) return refuse422('option_values', 'is required')
  if (given.length !== labels.options.size) {
    return refuse422('option_values', `must have one value for each of the ${labels.options.size} options`)
  }
  return given.map((value, index) => existingChoice(labels, value, index))
}

function existingChoice(labels: OptionLabels, given: Record<string, unknown>, index: number): Choice {
  const option = [...labels.options.values()].find(
    (row) => row.id === given.option_id || sameText(row.display_name, given.option_display_name),
  )
  const value = [...labels.values.values()].find(
    (row) => row.option_id === option?.id && (row.id === given.id || sameText(row.label, given.label)),
  )
  if (!option || !value)
    return refuse422(`option_values.${index}`, 'names an option or a value that the product does not have')
  return { option_id: option.id, id: value.id }
}

function refuse422(field: string, complaint: string): never {
  return refuse(422, `${field} ${complaint}`, { [field]: `${field} ${complaint}` })
}

function refuseSameCombination(store: SandboxStore, productId: number, optionValues: Choice[]): void {
  const requested = combinationKey(optionValues)
  const taken = variantTable(store)
    .find({ product_id: productId })
    .some((variant) => combinationKey(choices(variant)) === requested)
  if (taken) refuseWithCode(22010, 'option_values', 'Variant with the same option values set exists')
}

function refuseTakenSku(sku: string): never {
  refuseWithCode(22003, 'sku', `Sku ${sku} is not unique`)
}

/** Real stores have a code for each kind of conflict between variants. */
function refuseWithCode(code: number, field: string, title: string): never {
  const { status, body } = v3Error(409, title, { [field]: title })
  throw new Refusal({ status, body: { ...(body as object), code } })
}

function combinationKey(optionValues: readonly Choice[]): string {
  return optionValues
    .map((choice) => `${choice.option_id}:${choice.id}`)
    .sort()
    .join(',')
}

/**
 * Deletes the variants that use a deleted option or value. A product always has a variant: if none is left, it gets a
 * new base variant.
 */
export function deleteVariantsWith(store: SandboxStore, product: Row, uses: (choice: Choice) => boolean): void {
  for (const variant of variantTable(store).find({ product_id: product.id })) {
    if (choices(variant).some(uses)) deleteVariant(store, variant.id)
  }
  keepOneVariant(store, product)
}

export function keepOneVariant(store: SandboxStore, product: Row): void {
  if (variantTable(store).count({ product_id: product.id }) > 0) return
  productTable(store).update(product.id, { base_variant_id: insertBaseVariant(store, product).id })
}
