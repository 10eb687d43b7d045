import { insertPage, pageTable } from '../../resources/content/page-rows.ts'
import { redirectTable } from '../../resources/content/redirect-rows.ts'
import { giftCertificateTable } from '../../resources/marketing/gift-certificate-rows.ts'
import { insertOption, insertOptionValue } from '../../resources/products/rows/option-rows.ts'
import { insertVariantRow } from '../../resources/products/rows/variant-rows.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { addressTable, customerTable, subscriberTable } from '../../tables/customer-tables.ts'
import { customFieldTable, productTable, reviewTable } from '../../tables/product-tables.ts'
import { addressRow, customerRow } from '../shop/customers.ts'
import { type AwkwardProduct, type AwkwardShop, goneId } from './awkward-shop.ts'

const NO_DATE = '0000-00-00 00:00:00'

/** No call would create them, but a store keeps what it had before the platform checked such values. */
export const OLD_PRODUCTS: readonly AwkwardProduct[] = [
  {
    name: 'Oversold',
    fields: { sku: 'OVERSOLD', inventory_tracking: 'product', inventory_level: -3 },
  },
  { name: 'Oversold variants', fields: { inventory_tracking: 'variant' }, hasOptions: true, grow: plantOversold },
  { name: 'Eight decimals', fields: { price: 9.12345678, cost_price: 0.00000001, weight: 1.23456789 } },
  { name: 'Costs less than nothing', fields: { price: -1.5 } },
  { name: 'Tab\tin its name, and a bell\u0007', fields: { sku: 'TAB\tBELL' } },
  { name: 'Two values of one name', hasOptions: true, grow: plantTwinValues },
  { name: 'Address of another age', grow: withAddress('/coffee%20with milk_(2)/') },
  { name: 'Address of the category Men', grow: withAddress('/men/') },
  { name: 'Custom field without a value', grow: plantEmptyField },
  { name: 'Reviewed on no day', grow: plantOldReview },
]

function plantOversold({ store }: AwkwardShop, product: Row): void {
  const option = insertOption(store, product.id, { display_name: 'Size', type: 'rectangles', sort_order: 0 }, 0)
  for (const [at, label] of ['S', 'M'].entries()) {
    const { id } = insertOptionValue(store, option, { label }, at)
    const values = { sku: `OVERSOLD-${label}`, inventory_level: at === 0 ? -2 : 5 }
    insertVariantRow(store, product.id, values, [{ option_id: option.id, id }])
  }
}

function plantTwinValues({ store }: AwkwardShop, product: Row): void {
  const option = insertOption(store, product.id, { display_name: 'Size', type: 'dropdown', sort_order: 0 }, 0)
  for (const [at, label] of ['One', 'one'].entries()) {
    const { id } = insertOptionValue(store, option, { label }, at)
    insertVariantRow(store, product.id, { sku: `TWIN-VALUE-${at}` }, [{ option_id: option.id, id }])
  }
}

function withAddress(url: string): AwkwardProduct['grow'] {
  return ({ store }, { id }) => void productTable(store).update(id, { custom_url: { url, is_customized: true } })
}

function plantEmptyField({ store }: AwkwardShop, { id: product_id }: Row): void {
  customFieldTable(store).insert({ product_id, name: 'Empty', value: '' })
}

function plantOldReview({ store }: AwkwardShop, { id: product_id }: Row): void {
  const dates = { date_reviewed: NO_DATE, date_created: NO_DATE, date_modified: NO_DATE }
  const review = { title: 'Old', text: 'From another shop', name: ' ', email: 'Not an address', rating: 5 }
  reviewTable(store).insert({ product_id, status: 'approved', ...review, ...dates })
}

/** Adds everything else that is older than the rules of the platform. */
export function plantOlderThanRules({ store }: AwkwardShop): void {
  plantOldShoppers(store)
  plantOldPages(store)
  plantOldRedirects(store)
  plantOverdrawn(store)
}

/** Their emails have blanks and capitals, and countries and states have ended since. */
function plantOldShoppers(store: SandboxStore): void {
  const { id } = customerTable(store).insert({ ...customerRow(0), email: ' Blank@Example.com ', phone: ' ' })
  const address = (fields: object) => addressTable(store).insert({ ...addressRow(id, 0), ...fields })
  address({ country_code: 'AN', state_or_province: 'Bonaire' })
  address({ state_or_province: 'Nowhere at all', address2: 'Second' })
  const dates = { date_created: NO_DATE, date_modified: NO_DATE }
  const fields = { first_name: '', last_name: '', source: '', order_id: null, channel_id: 1, consents: [], ...dates }
  subscriberTable(store).insert({ ...fields, email: 'Blank-Too@Example.com ' })
}

/** One page is older than its parent, one has lost its parent, and one is below itself. */
function plantOldPages(store: SandboxStore): void {
  const plant = (name: string) => insertPage(store, { type: 'page', name, body: '' }).row.id
  const older = plant('Older than its parent')
  pageTable(store).update(older, { parent_id: plant('Younger than its child') })
  pageTable(store).update(plant('Parent gone'), { parent_id: goneId(store, 'pages') })
  const own = plant('Below itself')
  pageTable(store).update(own, { parent_id: own })
}

/** The platform takes each two for one path. */
function plantOldRedirects(store: SandboxStore): void {
  for (const [from_path, url] of [
    ['/slash', '/'],
    ['/slash/', '/'],
    ['/Two-Cases', '/one/'],
    ['/two-cases', '/two/'],
  ])
    redirectTable(store).insert({ site_id: 1000, from_path, to: { type: 'url', url } })
}

/** It has less than nothing left. */
function plantOverdrawn(store: SandboxStore): void {
  const { id: _id, ...last } = giftCertificateTable(store).find({}).at(-1) ?? { id: 0 }
  giftCertificateTable(store).insert({ ...last, code: 'OVERDRAWN', balance: -5 })
}
