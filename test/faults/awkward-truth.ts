/** What a copy of one seed cannot contain under any faults: everything else has to be there. */
export interface Truth {
  /** Open items: component, code and name, with `*` for ids. */
  failures: readonly string[]
  /** What the comparison finds despite a good copy, by `linesOfFindings`, with `*` for ids. */
  findings: readonly string[]
}

export const nothing: Truth = { failures: [], findings: [] }

/** Another app's metafield has the same key as ours: the copies belong to one app, which can have the key only once. */
const keysOfAnotherApp = ['app_only', 'read', 'read_and_sf_access', 'write', 'write_and_sf_access']

function metafieldsOfTwoApps(kind: string, owner: string): Truth {
  const label = `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)} metafields *`
  return {
    failures: keysOfAnotherApp.map(() => `${kind}-metafields natural_key_collision ${label}`),
    findings: keysOfAnotherApp.map((key) => `${kind}-metafields missing ${owner} > awkward.${key}`),
  }
}

const ofTwoApps = [
  metafieldsOfTwoApps('brand', 'Plain'),
  metafieldsOfTwoApps('category', 'default storefront > Younger than its child'),
  metafieldsOfTwoApps('product', 'Metafields of every kind'),
  metafieldsOfTwoApps('customer', 'everything@example.com in all'),
  metafieldsOfTwoApps('variant', 'SKU DIFFERENT > Kind=a'),
]

/**
 * Makes a line comparable with those below: ids differ between stores, and which of two codes that differ only in case comes
 * first is undefined.
 */
export const withoutIds = (line: string) =>
  line
    .replace(
      /(metafields|categories|category|channels|products|variants?|promotions|Coupons|Gift certificates|Wishlists|customers|Customers|Customer addresses|orders different) \d+/g,
      '$1 *',
    )
    .replace(/Shopper profiles [-0-9a-f]{36}/, 'Shopper profiles *')
    .replace(/^(coupons|gift-certificates|promotion-codes|segments) missing .+$/, (found) => found.toLowerCase())
    .replace(/^segments natural_key_collision .+$/, (found) => found.toLowerCase())

const longZone = 'Zone '.repeat(50).trim()

export const awkwardTruth: Truth = {
  failures: [
    ...ofTwoApps.flatMap(({ failures }) => failures),
    // Their pictures cannot be fetched.
    'brands picture_not_fetched Picture gone',
    'categories picture_not_fetched Picture gone',
    'product-images picture_not_fetched missing.png',
    'product-variants picture_not_fetched picture=gone',
    'categories hierarchy_broken Parent gone',
    // A price of a variant that is gone.
    'price-records missing_reference variant * in usd',
    // Of two codes that differ only in case the platform accepts one.
    'coupons natural_key_collision Coupons *',
    'gift-certificates natural_key_collision Gift certificates *',
    'promotion-codes natural_key_collision Codes of promotions *',
    // E-mails differ in case only in the source, one customer belongs to a missing storefront, and one has no name.
    'customers natural_key_collision Customers *',
    'customers missing_reference Customers *',
    'customers platform_refused Customers *',
    'customer-addresses platform_refused Customer addresses *',
    // Nothing that it applies to exists.
    'coupons missing_reference Coupons *',
    'promotions missing_reference Gift gone',
    // Of two names that differ only in case the platform accepts one.
    'segments natural_key_collision vip',
    // All of its customers are gone.
    'shopper-profiles missing_reference Shopper profiles *',
    // Their targets are gone.
    'redirects missing_reference /to-a-page-gone',
    'redirects missing_reference /to-a-product-gone',
    // Shown with a category that is gone, or filters of one.
    'banners missing_reference Category gone',
    'search-filter-contexts missing_reference category *',
    ...['Wishlists *', 'Wishlists *'].map((name) => `wishlists missing_reference ${name}`),
  ].sort(),
  findings: [
    // The theme has no such file, and a product is gone.
    'custom-template-associations missing Last of the awkward in default storefront',
    'page-widgets different pages/home in default storefront regions',
    ...ofTwoApps.flatMap(({ findings }) => findings),
    'brands different Picture gone image_url',
    'categories different default storefront > Picture gone image_url',
    'product-images missing Picture gone > missing.png',
    'product-images different Picture gone > there.png is_thumbnail',
    'product-variants different SKU GONE-PICTURE > Picture=Gone image_url',
    'categories missing no categories * > Parent gone',
    // It was in that category as well.
    'products different In every category categories',
    // They name items that are gone from the source.
    'products different Brand gone brand_id',
    'products different Category gone categories',
    'products different Related product gone related_products',
    // Pictures in texts are left where they are and reported.
    'products different SKU LINKS-GONE description',
    'product-modifier-values different SKU PRODUCT-LISTS > Goes with (product_list) > Gone value_data',
    'product-modifier-values different SKU PRODUCT-LISTS > Goes with (product_list_with_images) > Gone value_data',
    'product-channel-assignments missing Channel gone > no channels *',
    // Their product is gone.
    'product-channel-assignments missing no products * > default storefront',
    'product-metafields missing no products * > awkward.left',
    // Channels are never created.
    'product-channel-assignments missing SKU x > Closed-outlet',
    'product-channel-assignments missing SKU x > Deleted',
    'product-channel-assignments missing SKU x > Old_market',
    'product-channel-assignments missing On no storefront > Deleted',
    'product-channel-assignments missing On no storefront > Old_market',
    'product-channel-assignments missing On no storefront > Closed-outlet',
    'price-records missing Wholesale > no variants * in usd',
    'customer-groups different Everything at once discount_rules',
    'customer-groups different Only what is gone discount_rules',
    'customer-groups different Some access category_access',
    'promotion-codes missing coupon codes of two cases > winter',
    'promotions missing AUTOMATIC Gift gone',
    'customers missing twin@example.com in all',
    'customers missing closed-only@example.com in Closed-outlet',
    'customers missing no-name@example.com in all',
    'customers different group-gone@example.com in all customer_group_id',
    'customers different closed-too@example.com in Closed-outlet default storefront channel_ids',
    // Of two equal addresses the platform keeps one, and it refuses one without a name.
    'customer-addresses missing odd-addresses@example.com in all > Ada/Example//1 Example Street//Austin/Texas/78759/US//residential',
    'customer-addresses missing odd-addresses@example.com in all > ///1 Example Street/No name/Austin/Texas/78759/US//residential',
    'subscribers missing two-storefronts@example.com in Closed-outlet',
    // Prices of carriers cannot be copied, channels are not created, and a tax zone for a missing group applies to no customer.
    `shipping-methods different ${longZone} (zip) > Channel gone (perorder) channel_ids`,
    'shipping-methods missing متجر & Söhne 🛒 (country) > Royal Mail (royalmail)',
    'shipping-methods missing متجر & Söhne 🛒 (country) > UPS® (upsready)',
    'tax-zones different Only a group that is gone enabled',
    'tax-zones different Only a group that is gone shopper_target_settings',
    // They name missing items and stay disabled.
    ...['All products gone rules', 'Product gone rules', 'Zone gone rules', 'Group gone customer'].flatMap((what) => [
      `promotions different AUTOMATIC ${what}`,
      `promotions different AUTOMATIC ${what.replace(/ \w+$/, ' status')}`,
    ]),
    // The platform assigns this status itself.
    'promotions different AUTOMATIC Invalid status',
    'coupons missing summer',
    'gift-certificates missing both-cases',
    'coupons missing all-gone',
    'coupons different PART-GONE applies_to',
    'gift-certificates different UNKNOWN-CUSTOMER customer_id',
    'segments missing vip',
    // Scripts of other accounts are not shown, and channels are not created.
    'scripts missing default storefront > Of another app',
    'scripts missing Closed-outlet > On a closed storefront',
    // An order from a channel that is not created is recorded for the first one.
    'orders different * channel_id',
    // They belong to a channel that is not created, and to a category that is gone.
    'search-filter-contexts missing channel  category no categories *',
    'search-filter-contexts missing channel Closed-outlet category ',
    'banners missing category_page top no categories * Category gone',
    'shopper-profiles missing no customers * > profile',
    'redirects missing /to-a-page-gone',
    'redirects missing /to-a-product-gone',
    // Only the control panel can create it.
    'pages missing default storefront > Blog',
    'wishlists missing no customers * > Customer gone',
    'wishlists missing Of a visitor',
    'wishlists different wisher-1@example.com in default storefront > Product gone items',
    'wishlists different wisher-2@example.com in default storefront > All of it gone items',
    'wishlists different wisher-2@example.com in default storefront > Variant gone items',
    // The platform makes the first picture the thumbnail, and gives a product without options a base variant.
    'product-images different No thumbnail > plain.png is_thumbnail',
    'product-variants extra Base variant gone > base variant',
  ].sort(),
}
