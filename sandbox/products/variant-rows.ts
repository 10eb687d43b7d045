import { refuse } from '../answers.ts'
import type { Row, SandboxStore } from '../store.ts'
import { refuseIfAny } from './body-checks.ts'
import { readFields, withFallbacks } from './field-rules.ts'
import { DERIVED_OPTION_TYPE, insertOption, insertOptionValue, sameText } from './option-rows.ts'
import { VARIANT_FIELDS, VARIANTS_PER_PRODUCT } from './product-fields.ts'
import { optionTable, optionValueTable, productTable, variantTable } from './tables.ts'

type Answer = Record<string, unknown>

/** A variant's choice as the table keeps it; labels are looked up, so that renaming a value renames it everywhere. */
export interface Choice {
  option_id: number
  id: number
}

export interface OptionLabels {
  options: Map<number, Row>
  values: Map<number, Row>
}

export function optionLabels(store: SandboxStore, productIds: number[]): OptionLabels {
  const index = (rows: Row[]) => new Map(rows.map((row) => [row.id, row]))
  return {
    options: index(optionTable(store).find({ product_id: productIds })),
    values: index(optionValueTable(store).find({ product_id: productIds })),
  }
}

export function variantAnswer(variant: Row, product: Row, labels: OptionLabels): Answer {
  const productPrice = Number(product.sale_price ?? 0) > 0 ? product.sale_price : product.price
  return {
    ...variant,
    calculated_price: variant.sale_price || (variant.price ?? productPrice),
    calculated_weight: variant.weight ?? product.weight,
    option_values: choices(variant).map((choice) => ({
      id: choice.id,
      label: labels.values.get(choice.id)?.label ?? '',
      option_id: choice.option_id,
      option_display_name: labels.options.get(choice.option_id)?.display_name ?? '',
    })),
  }
}

/** Variants of any products, with their products and labels loaded once each. */
export function variantAnswers(store: SandboxStore, variants: Row[]): Answer[] {
  const productIds = [...new Set(variants.map((variant) => Number(variant.product_id)))]
  const products = new Map(
    productTable(store)
      .find({ id: productIds })
      .map((row) => [row.id, row]),
  )
  const labels = optionLabels(store, productIds)
  return variants.flatMap((variant) => {
    const product = products.get(Number(variant.product_id))
    return product ? [variantAnswer(variant, product, labels)] : []
  })
}

export function choices(variant: Row): Choice[] {
  // Written by this file only.
  return (variant.option_values ?? []) as Choice[]
}

/** A SKU belongs to one variant or one product; a product and its own base variant share theirs. */
export function skuTaken(store: SandboxStore, sku: string, ownProductId?: number, ownVariantId?: number): boolean {
  if (sku === '') return false
  const byProduct = productTable(store).find({ sku_key: sku })
  const byVariant = variantTable(store).find({ sku_key: sku })
  return (
    byProduct.some((product) => product.id !== ownProductId) ||
    byVariant.some(
      (variant) => variant.id !== ownVariantId && !(isBase(variant) && variant.product_id === ownProductId),
    )
  )
}

export function isBase(variant: Row): boolean {
  return choices(variant).length === 0
}

export function insertBaseVariant(store: SandboxStore, product: Row): Row {
  const values = {
    sku: product.sku,
    inventory_level: product.inventory_level,
    upc: product.upc,
    mpn: product.mpn,
    gtin: product.gtin,
  }
  return insertVariantRow(store, product.id, values, [])
}

export function insertVariantRow(
  store: SandboxStore,
  productId: number,
  values: Record<string, unknown>,
  optionValues: Choice[],
): Row {
  const row = variantTable(store).insert({
    product_id: productId,
    ...withFallbacks(VARIANT_FIELDS, values),
    option_values: optionValues,
  })
  // The platform's id of the SKU record; it has no resource of its own any more.
  return variantTable(store).update(row.id, { sku_id: values.sku ? row.id : null })
}

/** Creates one variant of an existing product; its options and values must exist, named by id or by label. */
export function createVariant(store: SandboxStore, product: Row, body: Record<string, unknown>): Row {
  const { values, errors } = readFields(VARIANT_FIELDS, body)
  refuseIfAny(errors)
  const optionValues = existingChoices(store, product.id, body.option_values)
  refuseSameCombination(store, product.id, optionValues)
  if (variantTable(store).count({ product_id: product.id }) >= VARIANTS_PER_PRODUCT) {
    refuseIfAny({ variants: `A product can have at most ${VARIANTS_PER_PRODUCT} variants` })
  }
  const sku = String(values.sku ?? '')
  if (skuTaken(store, sku)) refuseDuplicateSku(sku)
  dropBaseVariant(store, product)
  return insertVariantRow(store, product.id, values, optionValues)
}

export function updateVariant(store: SandboxStore, variant: Row, body: Record<string, unknown>): Row {
  const { values, errors } = readFields(VARIANT_FIELDS, body)
  refuseIfAny(errors)
  if (typeof values.sku === 'string') {
    const ownProductId = isBase(variant) ? Number(variant.product_id) : undefined
    if (skuTaken(store, values.sku, ownProductId, variant.id)) refuseDuplicateSku(values.sku)
    values.sku_id = values.sku ? variant.id : null
    if (isBase(variant)) productTable(store).update(Number(variant.product_id), { sku: values.sku })
  }
  return variantTable(store).update(variant.id, values)
}

export function refuseDuplicateSku(sku: string): never {
  return refuse(409, 'The product sku is a duplicate', { sku: `The SKU ${sku} is already used` })
}

/** A product with real variants has no base variant any more. */
function dropBaseVariant(store: SandboxStore, product: Row): void {
  if (product.base_variant_id === null) return
  variantTable(store).delete(Number(product.base_variant_id))
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
  const wanted = combinationKey(optionValues)
  const taken = variantTable(store)
    .find({ product_id: productId })
    .some((variant) => combinationKey(choices(variant)) === wanted)
  if (taken) refuse(409, 'The variant is a duplicate', { option_values: 'another variant has the same option values' })
}

export function combinationKey(optionValues: readonly Choice[]): string {
  return optionValues
    .map((choice) => `${choice.option_id}:${choice.id}`)
    .sort()
    .join(',')
}

/** Creates the variants of a new product and, from their labels, its options: order by first appearance. */
export function insertVariantsWithOptions(
  store: SandboxStore,
  productId: number,
  variants: Record<string, unknown>[],
  nowMs: number,
): void {
  const optionsByName = new Map<string, Row>()
  const valuesByLabel = new Map<string, Row>()
  for (const variant of variants) {
    const optionValues = labelled(variant).map((given) => {
      const option = getOrInsert(optionsByName, given.option_display_name.toLowerCase(), () =>
        insertDerivedOption(store, productId, given.option_display_name, optionsByName.size, nowMs),
      )
      const value = getOrInsert(valuesByLabel, `${option.id} ${given.label.toLowerCase()}`, () =>
        insertOptionValue(store, option, { label: given.label }, valuesOf(valuesByLabel, option)),
      )
      return { option_id: option.id, id: value.id }
    })
    insertVariantRow(store, productId, readFields(VARIANT_FIELDS, variant).values, optionValues)
  }
}

function insertDerivedOption(
  store: SandboxStore,
  productId: number,
  displayName: string,
  order: number,
  nowMs: number,
): Row {
  const type = String(store.switches.derivedOptionType ?? DERIVED_OPTION_TYPE)
  return insertOption(store, productId, { display_name: displayName, type, sort_order: order }, nowMs)
}

function valuesOf(valuesByLabel: Map<string, Row>, option: Row): number {
  return [...valuesByLabel.values()].filter((value) => value.option_id === option.id).length
}

function getOrInsert(rows: Map<string, Row>, key: string, insert: () => Row): Row {
  const row = rows.get(key) ?? insert()
  rows.set(key, row)
  return row
}

interface LabelledChoice {
  option_display_name: string
  label: string
}

export function labelled(variant: Record<string, unknown>): LabelledChoice[] {
  // Complaints about the shape were made before anything is written.
  return (variant.option_values ?? []) as LabelledChoice[]
}

/** What is wrong with the `variants` of a create, before anything is written. Keys are `variants.<index>.<field>`. */
export function complaintsAboutVariants(variants: Record<string, unknown>[]): Record<string, string> {
  const errors: Record<string, string> = {}
  if (variants.length > VARIANTS_PER_PRODUCT)
    errors.variants = `A product can have at most ${VARIANTS_PER_PRODUCT} variants`
  const combinations = new Set<string>()
  for (const [index, variant] of variants.entries()) {
    for (const [field, message] of Object.entries(readFields(VARIANT_FIELDS, variant).errors)) {
      errors[`variants.${index}.${field}`] = message
    }
    const given = variant.option_values
    if (!Array.isArray(given) || given.length === 0 || !given.every(isLabelled)) {
      errors[`variants.${index}.option_values`] = 'option_values need an option_display_name and a label each'
      continue
    }
    const combination = JSON.stringify(
      labelled(variant)
        .map((choice) => [choice.option_display_name, choice.label])
        .sort(),
    )
    if (combinations.has(combination))
      errors[`variants.${index}.option_values`] = 'another variant has the same option values'
    combinations.add(combination)
  }
  return errors
}

function isLabelled(choice: unknown): choice is LabelledChoice {
  const { option_display_name, label } = (choice ?? {}) as Partial<LabelledChoice>
  return (
    typeof option_display_name === 'string' && option_display_name !== '' && typeof label === 'string' && label !== ''
  )
}
