import { refuse } from '../../../http/answers.ts'
import { imageExists, storedName } from '../../../images/images.ts'
import { namesAreEqual } from '../../../store/name-case.ts'
import type { Row, SandboxStore } from '../../../store/store.ts'
import { optionTable, optionValueTable, productTable, variantTable } from '../../../tables/product-tables.ts'
import { withFallbacks } from '../../../validation/field-rules.ts'
import { VARIANT_FIELDS } from '../../../validation/product-fields.ts'

type Answer = Record<string, unknown>

/** The choice of a variant as stored. Labels are looked up, so that a renamed value has its new name everywhere. */
export interface Choice {
  option_id: number
  id: number
}

/** What an answer with variants needs: the labels of their choices, and the address of the store's pictures. */
export interface OptionLabels {
  imageBase: string
  /** Whether a variant without its own price has 0 as its price instead of null. */
  withZeros: boolean
  options: Map<number, Row>
  values: Map<number, Row>
}

export function optionLabels(store: SandboxStore, productIds: number[]): OptionLabels {
  const index = (rows: Row[]) => new Map(rows.map((row) => [row.id, row]))
  return {
    imageBase: store.imageBase,
    withZeros: store.switches.normalised_answers === true,
    options: index(optionTable(store).find({ product_id: productIds })),
    values: index(optionValueTable(store).find({ product_id: productIds })),
  }
}

/** A product's sale price if it has one, otherwise its price. */
export function calculatedPrice(product: Row): unknown {
  return Number(product.sale_price ?? 0) > 0 ? product.sale_price : product.price
}

export function variantAnswer(variant: Row, product: Row, labels: OptionLabels): Answer {
  // Where 0 is returned instead of null, 0 also means the product's price.
  const own = labels.withZeros ? variant.price || undefined : variant.price
  return {
    ...variant,
    ...(labels.withZeros && { price: variant.price ?? 0 }),
    image_url: variant.image_url ? `${labels.imageBase}/${variant.image_url}` : '',
    calculated_price: variant.sale_price || (own ?? calculatedPrice(product)),
    calculated_weight: variant.weight ?? product.weight,
    option_values: choices(variant).map((choice) => ({
      id: choice.id,
      label: labels.values.get(choice.id)?.label ?? '',
      option_id: choice.option_id,
      option_display_name: labels.options.get(choice.option_id)?.display_name ?? '',
    })),
  }
}

/** Answers for variants of any products. Products and labels are each read only once. */
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
  // Only this file writes the field.
  return (variant.option_values ?? []) as Choice[]
}

/** A SKU is unique among variants and products, except that a product shares its own with its base variant. */
export function skuTaken(store: SandboxStore, sku: string, ownProductId?: number, ownVariantId?: number): boolean {
  if (sku === '') return false
  const isSame = (row: Row) => namesAreEqual(store, row.sku, sku)
  const byProduct = productTable(store).find({ sku_key: sku }).filter(isSame)
  const byVariant = variantTable(store).find({ sku_key: sku }).filter(isSame)
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
    ...withFallbacks(VARIANT_FIELDS, takeVariantImage(values)),
    option_values: optionValues,
  })
  // On the platform, the id of a SKU record. Those records no longer have a resource of their own.
  return variantTable(store).update(row.id, { sku_id: values.sku ? row.id : null })
}

export function refuseDuplicateSku(sku: string): never {
  return refuse(409, 'The product sku is a duplicate', { sku: `The SKU ${sku} is already used` })
}

/** Pictures are stored as file names, because the store's address changes with the port. */
export function takeVariantImage(values: Record<string, unknown>): Record<string, unknown> {
  if (typeof values.image_url !== 'string' || values.image_url === '') return values
  return { ...values, image_url: storedName(values.image_url, 'variant') }
}

/** Errors for variant pictures that cannot be downloaded. Keys look like `variants.<index>.image_url`. */
export async function complaintsAboutVariantImages(
  variants: Record<string, unknown>[],
): Promise<Record<string, string>> {
  const errors: Record<string, string> = {}
  for (const [index, { image_url }] of variants.entries()) {
    if (typeof image_url !== 'string' || image_url === '' || (await imageExists(image_url))) continue
    errors[`variants.${index}.image_url`] = 'image could not be downloaded'
  }
  return errors
}
