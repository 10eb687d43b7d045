/** The last parts of scopes for the life of an item. */
const LIFE = ['created', 'updated', 'deleted']

const below = (area: string, words: readonly string[] = LIFE): string[] => words.map((word) => `${area}/${word}`)

/**
 * Every event that the platform documents, whether or not this sandbox raises it. `{id}` is the id of a channel. There
 * are none for brands, coupons, promotions, widgets, reviews and gift certificates. Source: BigCommerce "Webhook
 * events", "Channel webhooks" and "Inventory and location webhooks".
 */
const DOCUMENTED = new Set([
  ...below('store/product', [...LIFE, 'inventory/updated', 'inventory/order/updated']),
  ...below('store/sku', [...LIFE, 'inventory/updated', 'inventory/order/updated']),
  ...below('store/category'),
  ...['product', 'product/variant', 'category', 'brand', 'channel', 'order', 'cart', 'inventory/location'].flatMap(
    (owner) => below(`store/${owner}/metafield`),
  ),
  ...below('store/metafield'),
  ...['store/modifier/updated', 'store/option/updated', 'store/redirects/updated'],
  ...below('store/priceList', [...LIFE, 'activated', 'deactivated', 'assignment/updated', 'assignment/deleted']),
  ...below('store/priceList/record'),
  ...below('store/priceList/records'),
  'store/priceLists/deleted',
  ...below('store/channel', ['created', 'updated']),
  ...below('store/inventory/location', ['created', 'updated']),
  ...below('store/channel/*/inventory/product', [
    'stock_changed',
    'low_stock_reached',
    'out_of_stock_reached',
    'settings_changed',
  ]),
  ...below('store/cart', [...LIFE, 'couponApplied', 'abandoned', 'converted']),
  ...below('store/cart/lineItem'),
  ...below('store/customer'),
  ...below('store/customer/address'),
  ...['store/customer/payment/instrument/default/updated', 'store/customer/channel/login/access/updated'],
  ...below('store/order', ['created', 'updated', 'archived', 'statusUpdated', 'message/created', 'refund/created']),
  ...below('store/order/transaction', ['created', 'updated']),
  ...below('store/shipment'),
  ...below('store/subscriber'),
  ...['store/app/uninstalled', 'store/information/updated', 'store/hook/deliveryException'],
  ...below('store/channel/{id}/cart', [...LIFE, 'couponApplied', 'abandoned', 'converted']),
  ...below('store/channel/{id}/cart/lineItem'),
  ...below('store/channel/{id}/category', [...LIFE, 'product/assigned', 'product/unassigned']),
  ...below('store/channel/{id}/product', ['assigned', 'unassigned']),
  ...below('store/channel/{id}/order', [
    ...['created', 'updated', 'archived', 'statusUpdated', 'message/created', 'refund/created'],
  ]),
  ...below('store/channel/{id}/page', ['created', 'updated']),
  ...below('store/channel/{id}/script', ['created', 'updated']),
  ...below('store/channel/{id}/email/templates', ['updated', 'deleted']),
  ...below('store/channel/{id}/theme/configuration', ['created', 'activated']),
  ...below('store/channel/{id}/notifications', ['abandonedCart/updated', 'inventory/updated']),
  ...['store/channel/{id}/categoryTree/updated', 'store/channel/{id}/socialMediaLinks/updated'],
  ...below('store/channel/{id}/settings/emailStatus', ['updated', 'deleted']),
  ...below('store/channel/{id}/settings/locale', ['added', 'updated', 'deleted']),
  ...below('store/channel/{id}/settings/site', ['updated', 'checkoutUrl/updated', 'checkoutUrl/deleted']),
  ...[
    ...['currency', 'profile', 'logo', 'logo/image', 'favicon/image', 'checkout', 'SEO', 'robots', 'category'],
    ...['product', 'catalog', 'security', 'searchContextFilters', 'defaultCustomerGroup', 'customerPrivacy', 'route'],
  ].map((subject) => `store/channel/{id}/settings/${subject}/updated`),
])

/** Reports failed deliveries to the client. Special rules apply to its hooks. */
export const DELIVERY_EXCEPTION = 'store/hook/deliveryException'

/** Some documented scopes end with a slash and some do not. Both mean the same event. */
function plain(scope: string): string {
  return scope.replace(/\/$/, '')
}

/** Whether any event has this scope. `store/product/*` matches all scopes below it. */
export function isKnownScope(scope: string): boolean {
  const general = plain(scope).replace(/^store\/channel\/\d+\//, 'store/channel/{id}/')
  if (DOCUMENTED.has(general)) return true
  if (!general.endsWith('/*') || general === 'store/*') return false
  const area = general.slice(0, -1)
  return [...DOCUMENTED].some((known) => known.startsWith(area))
}

/** Whether a hook with this scope receives the event. */
export function covers(hookScope: string, eventScope: string): boolean {
  const scope = plain(hookScope)
  return scope === eventScope || (scope.endsWith('/*') && eventScope.startsWith(scope.slice(0, -1)))
}
