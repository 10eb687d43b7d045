import type { ItemAtStore } from '../../db/erase/person-ids.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import { componentOf, entities } from '../../entities/registry.ts'

/** A shopper, and what is known of the shopper at the stores of an organisation. */
export interface Shopper {
  email: string
  customers: ItemAtStore[]
  subscribers: ItemAtStore[]
  /** Stores in which the address was looked up: their other customers are other people. */
  searchedStores: ReadonlySet<string>
}

export interface StoredItem {
  component: string
  storeId: string
  itemId: string
  /** Undefined if no key opens it. */
  body: PlatformItem | undefined
  /** The customer that it belongs to, where something other than its body says so. */
  owner?: ItemAtStore | undefined
}

export type Whose = 'shopper' | 'unknown' | 'others'

/** What has no id of its own carries that of its customer. */
const namedByCustomer: readonly string[] = ['customers', 'customer-form-fields', 'customer-consents']

/**
 * Whose a stored item is. An update stores only the fields that it overwrote, so a street may be all that is there:
 * then nothing says whose it is, unless its run still remembers the customer.
 */
export function whoseItem(shopper: Shopper, item: StoredItem): Whose {
  const { component, body } = item
  if (body && JSON.stringify(body).toLowerCase().includes(shopper.email)) return 'shopper'
  if (!isAboutShoppers(component)) return 'others'
  if (component === 'subscribers') return among(shopper, shopper.subscribers, item)
  const owner = ownerOf(item)
  if (owner) return among(shopper, shopper.customers, { storeId: owner.storeId, itemId: owner.id })
  return body && namesAnyone(body) ? 'others' : 'unknown'
}

/** Personal data of a shopper; not that of the shop, such as its own address. */
export function isAboutShoppers(component: string): boolean {
  const { data, madeByShoppers } = componentOf(component)
  return data !== 'catalogue' && (madeByShoppers === true || ofShoppers.has(component))
}

const ofShoppers = new Set(
  entities
    .filter(({ group }) => group === 'customers' || group === 'orders')
    .flatMap(({ components }) => components.map(({ key }) => key)),
)

function among(
  { searchedStores }: Shopper,
  known: ItemAtStore[],
  { storeId, itemId }: Pick<StoredItem, 'storeId' | 'itemId'>,
): Whose {
  const here = known.filter((one) => one.storeId === storeId)
  if (here.some(({ id }) => id === itemId)) return 'shopper'
  return here.length > 0 || searchedStores.has(storeId) ? 'others' : 'unknown'
}

function ownerOf({ component, storeId, itemId, body, owner }: StoredItem): ItemAtStore | undefined {
  if (namedByCustomer.includes(component)) return { storeId, id: itemId }
  const id = Number(body?.customer_id ?? (component === 'customer-metafields' ? body?.resource_id : undefined) ?? 0)
  return id > 0 ? { storeId, id: String(id) } : owner
}

/** It contains an address, which is not that of the shopper. */
function namesAnyone(body: PlatformItem): boolean {
  const billing = body.billing_address as PlatformItem | undefined
  return [body.email, billing?.email].some((email) => typeof email === 'string' && email !== '')
}
