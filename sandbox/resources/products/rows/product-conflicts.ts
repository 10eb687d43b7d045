import { refuse } from '../../../http/answers.ts'
import { namesAreEqual } from '../../../store/name-case.ts'
import type { Row, SandboxStore } from '../../../store/store.ts'
import { isValidUrl, urlIsFree } from '../../../store/urls.ts'
import { productTable } from '../../../tables/product-tables.ts'
import { refuseIfAny, rowsIn } from '../../../validation/body-checks.ts'
import { CATEGORIES_PER_PRODUCT } from '../../../validation/product-fields.ts'
import { taxClassExists } from '../../tax/tax-class-rows.ts'
import { refuseDuplicateSku, skuTaken } from './variant-rows.ts'

/**
 * Refuses what conflicts with the rest of the store: first name and SKU, then references.
 *
 * @param own the product being updated; undefined on a create. Source: the 409 of the published product calls. The
 * titles are those that public client libraries look for.
 */
export function refuseConflicts(store: SandboxStore, body: Record<string, unknown>, own?: Row): void {
  refuseDuplicateName(store, body.name, own)
  refuseDuplicateSkus(store, body, own)
  refuseMissingCategories(store, body.categories)
  refuseMissingBrand(store, body.brand_id)
  refuseMissingTaxClass(store, body.tax_class_id)
  refuseTakenUrl(store, body.custom_url, own)
}

function refuseDuplicateName(store: SandboxStore, name: unknown, own?: Row): void {
  if (typeof name !== 'string') return
  const taken = productTable(store)
    .find({ name_key: name })
    .some((product) => product.id !== own?.id && namesAreEqual(store, product.name, name))
  if (taken) refuse(409, 'The product name is a duplicate', { name: 'The product name is a duplicate' })
}

function refuseDuplicateSkus(store: SandboxStore, body: Record<string, unknown>, own?: Row): void {
  const seen = new Set<string>()
  const skus = [body.sku, ...(own ? [] : rowsIn(body, 'variants').map((variant) => variant.sku))]
  for (const sku of skus) {
    if (typeof sku !== 'string' || sku === '') continue
    const key = store.switches.case_sensitive_names === true ? sku : sku.toLowerCase()
    if (seen.has(key) || skuTaken(store, sku, own?.id)) refuseDuplicateSku(sku)
    seen.add(key)
  }
}

function refuseMissingCategories(store: SandboxStore, categories: unknown): void {
  if (categories === undefined) return
  if (!Array.isArray(categories) || !categories.every(Number.isInteger)) {
    refuseIfAny({ categories: 'categories must be an array of integers' })
  }
  // Checked on the line above.
  const ids = [...new Set(categories as number[])]
  if (ids.length > CATEGORIES_PER_PRODUCT) {
    refuseIfAny({ categories: `A product can be in at most ${CATEGORIES_PER_PRODUCT} categories` })
  }
  const missing = ids.filter((id) => !store.table('categories').get(id))
  if (missing.length > 0) refuse(409, 'A category does not exist', { categories: `Missing: ${missing.join(', ')}` })
}

function refuseMissingBrand(store: SandboxStore, brandId: unknown): void {
  if (!brandId || store.table('brands').get(Number(brandId))) return
  refuse(409, 'The brand does not exist', { brand_id: `There is no brand ${String(brandId)}` })
}

function refuseMissingTaxClass(store: SandboxStore, taxClassId: unknown): void {
  if (taxClassId === undefined || taxClassExists(store, Number(taxClassId))) return
  refuse(409, 'The tax class does not exist', { tax_class_id: `There is no tax class ${String(taxClassId)}` })
}

function refuseTakenUrl(store: SandboxStore, customUrl: unknown, own?: Row): void {
  const url = givenUrl(customUrl)
  if (url === undefined) return
  if (!isValidUrl(url) || url.length > 255) refuseIfAny({ custom_url: 'custom_url is not a valid address' })
  if (!urlIsFree(store, url, own && { resource: 'product', id: own.id })) {
    refuse(409, 'The custom url is a duplicate', { custom_url: `${url} is already used` })
  }
}

/** The requested address; undefined if the platform may choose one. */
export function givenUrl(customUrl: unknown): string | undefined {
  const url = customUrl !== null && typeof customUrl === 'object' ? (customUrl as { url?: unknown }).url : undefined
  return typeof url === 'string' && url !== '' ? url : undefined
}
