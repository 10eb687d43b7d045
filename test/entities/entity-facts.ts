/**
 * What the registry does not say of a component and the suite has to know; a test holds the names. A new entity needs a line
 * here only where it is unlike the others.
 */

/** Edits of these are told by verify, and left alone by `update`, because no list shows them (decision 0006). */
export const onlyVerifySees: Record<string, string> = {
  'product-options': 'the list of products that is compared has no options',
  'product-modifiers': 'the list of products that is compared has no modifiers',
  'product-complex-rules': 'a list of its own for each product',
}

/** Stand at the destination before the first copy and are taken as they are. */
export const neverCreated: Record<string, string> = {
  'category-trees': 'every store is born with the tree of its default storefront',
  'store-settings': 'every store has them',
  'store-contacts': 'every store has them',
  'channel-currencies': 'every channel has some',
  'tax-settings': 'every store has them',
  'customer-settings': 'every store has them',
  'promotion-settings': 'every store has them',
  'theme-templates': 'files come with the theme',
  'available-filters': 'filters come with the products',
  'search-filters': 'every store has some',
  'email-templates': 'every store has one of each type',
  'channel-customer-settings': 'every channel says whether customers of others may enter',
}

/** Come after what their texts may link to, and name nothing by its id. */
export const onlyLinks: Record<string, string> = {
  scripts: 'links in texts: test/engine/links.test.ts',
}

/** Some of these stand at the destination before the first copy. */
export const partlyThere: Record<string, string> = {
  currencies: 'every store has its own',
  'tax-classes': 'every store is born with three',
  locations: 'every store is born with one',
  'tax-zones': 'every store is born with one for everybody',
  'widget-templates': 'every store has those of the platform',
}

/** Some or all of these stand in every store, and are taken as they are. */
export function isBornWith(component: string): boolean {
  return component in neverCreated || component in partlyThere
}

/** Edited where another component's row is: told by the story of that one. */
export const editedElsewhere: Record<string, string> = {
  'store-settings': 'their table says only what differs from a new store: test/engine/store-base.test.ts',
  'store-contacts': 'as the settings',
  'channel-settings': 'as the settings',
  'channel-contacts': 'as the settings',
  'store-pictures': 'with the settings: test/engine/setting-pictures.test.ts',
  'channel-pictures': 'with the settings: test/engine/setting-pictures.test.ts',
  'customer-settings': 'as the settings: test/engine/customer-settings.test.ts',
  'channel-customer-settings': 'as the settings: test/engine/customer-settings.test.ts',
  'promotion-settings': 'as the settings: test/engine/promotion-settings.test.ts',
  'channel-currencies': 'a channel without own ones has no row: test/engine/store-base.test.ts',
  'tax-settings': 'as the settings: test/engine/tax.test.ts',
  'search-filters': 'as the settings: test/engine/search-filters.test.ts',
  'category-product-order': 'a place is a field of the link between a product and a category',
  'email-templates': 'as the settings: test/engine/email-templates.test.ts',
  'customer-consents': 'all that it says is living: test/engine/customer-consent.test.ts',
  inventory: 'all that it says is living: test/engine/inventory.test.ts',
  'customer-attributes': 'it has a name, which is its key, and a type, which stays',
  'customer-address-form-fields': 'in the table of answers, told by the story of those of customers',
  'product-customs-information': 'told with the drift that is planted in test/engine/planted-drift.test.ts',
}

/** Their living values are told of by a story of their own. */
export const livesElsewhere: Record<string, string> = {
  locations: 'every store has its own address: test/engine/store-base.test.ts',
  'store-contacts': 'kept with the settings: test/engine/store-base.test.ts',
  orders: 'an order is written once: test/engine/orders.test.ts',
  inventory: 'the catalogue shows it, too: test/engine/inventory.test.ts',
}

/** What only the destination has of these is told elsewhere: a second one beside the first is refused. */
export const prunedElsewhere: Record<string, string> = {
  'page-widgets': 'a page is where it is: test/engine/page-widgets.test.ts',
  'global-widgets': 'a channel has one: test/engine/page-widgets.test.ts',
  'custom-template-associations': 'an item has one: test/engine/template-associations.test.ts',
  'shopper-profiles': 'a customer has one: test/engine/segments.test.ts',
}
