import { channelsTable, DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import { currencyTable } from '../../resources/channels/currencies.ts'
import type { SandboxStore } from '../../store/store.ts'
import { channelAssignmentTable, channelMetafieldTable } from '../../tables/product-tables.ts'
import type { Setting } from '../shop/setting-rows.ts'
import { DISPLAYED } from '../shop/store-base.ts'
import { type AwkwardShop, filled, idIn } from './awkward-shop.ts'
import { seedMetafieldsOfEveryKind } from './metafields.ts'

const MOMENT = '2024-02-29T23:59:59Z'

/** Channels that no longer sell anything, but still have products. */
const CLOSED = [
  { name: 'Closed-outlet', type: 'storefront', platform: 'bigcommerce', status: 'inactive' },
  { name: 'Old_market', type: 'marketplace', platform: 'custom', status: 'disconnected', external_id: 'shop-١' },
  { name: 'Deleted', type: 'pos', platform: 'square', status: 'deleted' },
]

export function plantClosedChannels({ store, products }: AwkwardShop): void {
  seedMetafieldsOfEveryKind(store, 'channel', channelMetafieldTable(store), DEFAULT_CHANNEL_ID)
  for (const fields of CLOSED) {
    const { id } = channelsTable(store).insert({
      external_id: '',
      is_listable_from_ui: false,
      is_visible: false,
      icon_url: '',
      date_created: MOMENT,
      date_modified: MOMENT,
      ...fields,
    })
    for (const name of ['X', 'On no storefront'])
      channelAssignmentTable(store).insert({ product_id: idIn(products, name), channel_id: id })
  }
}

export const AWKWARD_SETTINGS: readonly Setting[] = [
  ['store/profile', { store_name: 'Awkward & Söhne 🛒 متجر', store_phone: '' }],
  ['catalog', { auto_approve_reviews: true, enable_product_comparisons: false }],
  ['inventory/notifications', { low_stock_notification_address: ['stock@example.com', 'stock+2@example.com'] }],
  ['storefront/robotstxt', { robots_txt_ssl: 'User-agent: *\r\nDisallow: /cart.php\n# <b>&amp;</b>\n' }],
  ['storefront/seo', { page_title: filled('Title ', 255), meta_description: '', meta_keywords: 'a,b,"c d"' }],
]

/** Settings of the first storefront: empty where the store's are not, and the other way round. */
export const OWN_SETTINGS: readonly Setting[] = [
  ['storefront/seo', { page_title: '', meta_description: 'Größen <b>S</b> & "XL"', meta_keywords: 'خصم,🛒' }],
  ['store/profile', { store_name: filled('Shop ', 200) }],
]

/** Adds a display currency without decimals, a disabled one, and one in which the store accepts payments. */
export function plantCurrencies(store: SandboxStore): void {
  for (const fields of [
    {
      currency_code: 'EUR',
      name: 'Euro',
      token: '€',
      token_location: 'right',
      decimal_token: ',',
      thousands_token: '.',
    },
    { currency_code: 'JPY', name: '円', token: '¥', decimal_places: 0, currency_exchange_rate: '151.4200000000' },
    { currency_code: 'ILS', name: 'שקל', token: '₪', enabled: false, country_iso2: 'IL' },
    { currency_code: 'CAD', name: 'Canadian Dollar', token: 'C$', is_transactional: true, country_iso2: 'CA' },
  ])
    currencyTable(store).insert({ ...LATE, ...fields })
}

const LATE = { ...DISPLAYED, currency_exchange_rate: '0.9200000000', last_updated: 'Thu, 29 Feb 2024 23:59:59 +0000' }
