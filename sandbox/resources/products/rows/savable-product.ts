import type { Row, SandboxStore } from '../../../store/store.ts'
import { isValidUrl, urlIsFree } from '../../../store/urls.ts'
import { givenUrl } from './product-conflicts.ts'
import { MOST_STOCK, type Savable } from './variant-stock.ts'

const LONGEST_URL = 255

/**
 * Drops what the platform does not save although the product is valid: negative stock, and in an update a duplicate or
 * empty address. With the switch `product_url: 'refuse'`, such an address is a 409 or 422, as in a create. Stock above
 * the maximum is reduced to it.
 *
 * @param own the product being updated; undefined on a create. Source: the 207 and `inventory_level` of the published
 * product calls.
 */
export function savableProduct(store: SandboxStore, body: Record<string, unknown>, own?: Row): Savable {
  const savable: Savable = { body: { ...body }, unsaved: {} }
  leaveOutStock(savable, String(body.inventory_tracking ?? own?.inventory_tracking ?? 'none'))
  if (own && store.switches.product_url !== 'refuse') leaveOutUrl(store, savable, own)
  return savable
}

function leaveOutStock({ body, unsaved }: Savable, tracking: string): void {
  const level = body.inventory_level
  // Each variant has its own stock, so the product's level is not saved.
  if (tracking === 'variant') delete body.inventory_level
  else if (typeof level === 'number' && level > MOST_STOCK) body.inventory_level = MOST_STOCK
  else if (typeof level === 'number' && level < 0) {
    delete body.inventory_level
    unsaved.inventory_level = 'inventory_level must not be negative'
  }
}

function leaveOutUrl(store: SandboxStore, { body, unsaved }: Savable, own: Row): void {
  const url = givenUrl(body.custom_url)
  if (url === undefined) return
  const isGood = isValidUrl(url) && url.length <= LONGEST_URL
  if (isGood && urlIsFree(store, url, { resource: 'product', id: own.id })) return
  delete body.custom_url
  unsaved.custom_url = isGood ? `${url} is already used` : 'custom_url is not a valid address'
}
