import type { ItemAtStore } from '../../db/erase/person-ids.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import { componentOf, entities } from '../../entities/registry.ts'

/** Components that are people and have an address: customers and subscribers. */
export const people: readonly string[] = entities.flatMap(({ components }) =>
  components.filter(({ staysErased, limits }) => staysErased && limits?.fields?.email?.required).map(({ key }) => key),
)

/** A field that names a person: `customer_id`. */
const personFields = new Map(
  entities.flatMap(({ passes }) =>
    passes.flatMap(({ about }) => (about && people.includes(about.component) ? [[about.field, about.component]] : [])),
  ),
)

/** The people that other items name. */
export const owningPeople = [...personFields.values()][0] ?? ''

/** Component of the items that a pass reads. */
export const rootOfPass = new Map(entities.flatMap(({ passes }) => passes.map(({ key, root }) => [key, root] as const)))

/** A shopper, and what is known of the shopper at the stores of an organisation. */
export interface Shopper {
  email: string
  /** By component. */
  accounts: ReadonlyMap<string, ItemAtStore[]>
  /** Stores in which the address was looked up: their other customers are other people. */
  searchedStores: ReadonlySet<string>
}

export interface StoredItem {
  component: string
  storeId: string
  itemId: string
  /** Undefined if no key opens it. */
  body: PlatformItem | undefined
  /** The item of the source that it belongs to, as far as its run remembers. */
  root?: (ItemAtStore & { pass: string }) | undefined
}

export type Whose = 'shopper' | 'unknown' | 'others'

/**
 * Whose a stored item is. An update stores only the fields that it overwrote, so a street may be all that is there:
 * then nothing says whose it is, unless its run still remembers the customer.
 */
export function whoseItem(shopper: Shopper, item: StoredItem): Whose {
  const { component, storeId, itemId, body, root } = item
  if (body && JSON.stringify(body).toLowerCase().includes(shopper.email)) return 'shopper'
  if (!aboutShoppers.has(component)) return 'others'
  if (people.includes(component)) return among(shopper, component, { storeId, id: itemId })
  for (const [field, person] of personFields) {
    const id = Number(body?.[field] ?? 0)
    if (id > 0) return among(shopper, person, { storeId, id: String(id) })
  }
  const person = root && rootOfPass.get(root.pass)
  if (root && person !== undefined && people.includes(person)) return among(shopper, person, root)
  return body && namesAnyone(body) ? 'others' : 'unknown'
}

/** Components with data of shoppers; the shop's own address is personal, but not a shopper's. */
const aboutShoppers = new Set(
  entities.flatMap(({ components, group }) =>
    components
      .filter(({ data, madeByShoppers }) => data !== 'catalogue' && (madeByShoppers || groupsOfShoppers().has(group)))
      .map(({ key }) => key),
  ),
)

/** The groups of people, and of what shoppers get mails about: orders. */
function groupsOfShoppers(): Set<string> {
  const isOfShoppers = (key: string) => people.includes(key) || componentOf(key).sideEffects?.mail === true
  return new Set(
    entities.filter(({ components }) => components.some(({ key }) => isOfShoppers(key))).map(({ group }) => group),
  )
}

function among({ accounts, searchedStores }: Shopper, component: string, { storeId, id }: ItemAtStore): Whose {
  const here = (accounts.get(component) ?? []).filter((one) => one.storeId === storeId)
  if (here.some((one) => one.id === id)) return 'shopper'
  return here.length > 0 || searchedStores.has(storeId) ? 'others' : 'unknown'
}

/** It contains an address, which is not that of the shopper. */
function namesAnyone(body: PlatformItem): boolean {
  const billing = body.billing_address as PlatformItem | undefined
  return [body.email, billing?.email].some((email) => typeof email === 'string' && email !== '')
}
