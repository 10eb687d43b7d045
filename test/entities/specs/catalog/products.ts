import {
  batches,
  callsOf,
  fewestOfMetafields,
  page,
  type Shops,
  type SourceRow,
} from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate, reasonsOfMetafields } from '../../../comparison/exclusion-reasons.ts'
import { productsPath, reading, writing } from '../../../faults/subject.ts'
import { metafieldsOfTwoApps } from '../../../faults/truth.ts'
import { metafieldSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'
import { productTables } from './product-tables.ts'

const product = { method: 'POST', path: '^/v3/catalog/products$' } as const

const below = (what: string) => `^/v3/catalog/products/\\d+/${what}$`

const internalName = 'the platform makes it from the shown name, the second of its birth and the product id'

/** Products with their options and modifiers. */
const pageOfProducts = 10

/** Items that are copied later cannot be named at creation. */
const namesLater = ({ id, related_products: ids }: SourceRow) =>
  Array.isArray(ids) && ids.some((one) => Number(one) > id)

/** Components that a product's creation carries, and the table that shows which products have some. */
const inline: Record<string, string> = {
  'product-options': 'options',
  'product-option-values': 'option_values',
  'product-variants': 'variants',
  'product-images': 'images',
  'product-custom-fields': 'custom_fields',
  'product-videos': 'product_videos',
  'product-bulk-pricing-rules': 'bulk_pricing_rules',
}

const metafields = metafieldsOfTwoApps({ product: 'Metafields of every kind', variant: 'SKU DIFFERENT > Kind=a' })

const readsBesideProducts = (shops: Shops) =>
  shops.owners('product_categories', 'category_id') +
  shops.list(shops.count('customs_information'), 'by number') +
  fewestOfMetafields('product').reads(shops) +
  fewestOfMetafields('variant').reads(shops)

export const products: EntitySpec = {
  entity: 'products',
  components: {
    'product-options': { onlyVerifySees: 'the list of products that is compared has no options' },
    'product-modifiers': { onlyVerifySees: 'the list of products that is compared has no modifiers' },
    'product-complex-rules': { onlyVerifySees: 'a list of its own for each product' },
    'category-product-order': { editedElsewhere: 'a place is a field of the link between a product and a category' },
    'product-customs-information': {
      editedElsewhere: 'covered by the drift planted in test/engine/planted-drift.long.test.ts',
    },
  },
  kills: {
    products: {
      component: 'products',
      pass: 'products',
      write: product,
      before: { method: 'GET', path: '^/v3/catalog/products$' },
      probe: { path: '^/v3/catalog/products$', query: /sku=/ },
    },
    'product-options': {
      component: 'product-options',
      pass: 'products',
      write: { method: 'PUT', path: below('options/\\d+') },
      before: product,
      probe: { path: below('options'), query: /limit/ },
    },
    'product-option-values': {
      component: 'product-option-values',
      pass: 'products',
      write: { method: 'POST', path: below('options/\\d+/values') },
      before: product,
      probe: { path: below('options/\\d+/values'), query: /limit/ },
    },
    'product-modifiers': {
      component: 'product-modifiers',
      pass: 'products',
      write: { method: 'POST', path: below('modifiers') },
      before: product,
      probe: { path: below('modifiers'), query: /limit/ },
    },
    'product-reviews': {
      component: 'product-reviews',
      pass: 'products',
      write: { method: 'POST', path: below('reviews') },
      before: product,
      probe: { path: below('reviews'), query: /limit/ },
    },
    'product-complex-rules': {
      component: 'product-complex-rules',
      pass: 'products',
      write: { method: 'POST', path: below('complex-rules') },
      before: product,
      probe: { path: below('complex-rules'), query: /limit/ },
    },
    'product-customs-information': {
      component: 'product-customs-information',
      pass: 'product-customs-information',
      write: { method: 'PUT', path: '^/v3/shipping/products/customs-information$' },
      before: { method: 'GET', path: '^/v3/shipping/products/customs-information$' },
      probe: { path: '^/v3/shipping/products/customs-information$', query: /limit/ },
    },
    /** One call for many products; sent again after a lost answer, without a search. */
    'product-channel-assignments': {
      component: 'product-channel-assignments',
      pass: 'products',
      write: { method: 'PUT', path: '^/v3/catalog/products/channel-assignments$' },
      before: product,
      probe: { path: '^/v3/catalog/products/channel-assignments$', query: /limit/ },
    },
    /** One call for a whole category; sent again after a lost answer, without a search. */
    'category-product-order': {
      component: 'category-product-order',
      pass: 'category-product-order',
      write: { method: 'PUT', path: '^/v3/catalog/categories/\\d+/products/sort-order$' },
      before: { method: 'GET', path: '^/v3/catalog/variants/metafields$' },
      probe: { path: '^/v3/catalog/categories/\\d+/products/sort-order$', query: /limit/ },
    },
    /** Completes the product that is created first of two that name each other; sent again after a lost answer, without a search. */
    'related-products': {
      component: 'products',
      pass: 'products',
      write: { method: 'PUT', path: '^/v3/catalog/products(/\\d+)?$' },
      before: product,
      probe: { path: '^/v3/catalog/products/\\d+$', query: /./ },
    },
    'product-metafields': metafieldSubject('product', 'products', below('metafields')),
    'variant-metafields': metafieldSubject('variant', 'variants', below('variants/\\d+/metafields')),
  },
  carriedBy: {
    'product-variants': 'products',
    'product-images': 'products',
    'product-custom-fields': 'products',
    'product-videos': 'products',
    'product-bulk-pricing-rules': 'products',
    'product-modifier-values': 'product-modifiers',
  },
  faults: {
    inline,
    writes: [
      writing('products', productsPath),
      writing('products', '^/v3/catalog/products(/\\d+)?$', { method: 'PUT' }),
      writing('product-options', below('options/\\d+'), { method: 'PUT' }),
      writing('product-option-values', below('options/\\d+/values')),
      writing('product-variants', below('variants/\\d+'), { method: 'PUT' }),
      writing('product-modifiers', below('modifiers')),
      writing('product-modifier-values', below('modifiers'), { body: '"option_values":\\[' }),
      writing('product-reviews', below('reviews')),
      writing('product-complex-rules', below('complex-rules')),
      writing('product-channel-assignments', '^/v3/catalog/products/channel-assignments$', { method: 'PUT' }),
      writing('product-customs-information', '^/v3/shipping/products/customs-information$', { method: 'PUT' }),
      writing('category-product-order', '^/v3/catalog/categories/\\d+/products/sort-order$', { method: 'PUT' }),
      writing('product-metafields', '^/v3/catalog/products/metafields$'),
      writing('variant-metafields', '^/v3/catalog/variants/metafields$'),
    ],
    lists: [
      reading(
        [
          'products',
          ...Object.keys(inline),
          'product-modifiers',
          'product-modifier-values',
          'product-reviews',
          'product-channel-assignments',
        ],
        productsPath,
      ),
      reading(['product-metafields'], '^/v3/catalog/products/metafields$'),
      reading(['variant-metafields'], '^/v3/catalog/variants/metafields$'),
      reading(['product-customs-information'], '^/v3/shipping/products/customs-information$'),
    ],
    details: [
      reading(['product-complex-rules'], below('complex-rules')),
      reading(['category-product-order'], '^/v3/catalog/categories/\\d+/products/sort-order$'),
    ],
  },
  tables: productTables,
  excludedFields: {
    products: {
      id: ownId,
      base_variant_id: ownId,
      option_set_id: ownId,
      option_set_display: 'a legacy setting, read-only on the platform',
      gift_wrapping_options_list: 'names gift wraps, which are not moved yet',
      view_count: 'counts visitors of this store',
      total_sold: 'counts sales of this store',
      reviews_count: 'counts the approved reviews, which are compared themselves',
      reviews_rating_sum: 'adds up the approved reviews, which are compared themselves',
      date_created: platformDate,
      date_modified: platformDate,
      date_last_imported: platformDate,
    },
    options: { id: ownId, name: internalName },
    option_values: { id: ownId },
    variants: { id: ownId, sku_id: ownId },
    modifiers: { id: ownId, name: internalName },
    modifier_values: { id: ownId },
    images: { id: ownId, date_modified: platformDate },
    custom_fields: { id: ownId },
    product_videos: { id: ownId, length: 'the platform asks for it where the video is' },
    bulk_pricing_rules: { id: ownId },
    complex_rules: { id: ownId },
    customs_information: { id: ownId, created_at: platformDate, updated_at: platformDate },
    reviews: { id: ownId, date_created: platformDate, date_modified: platformDate },
    product_channel_assignments: { id: ownId },
    product_metafields: reasonsOfMetafields('product'),
    variant_metafields: reasonsOfMetafields('variant'),
  },
  notWritable: {
    options: { product_id: 'part of the address' },
    option_values: { product_id: 'part of the address', option_id: 'part of the address' },
    variants: { product_id: 'part of the address', option_values: 'fixed when the variant is made' },
    modifiers: { product_id: 'part of the address' },
    modifier_values: { product_id: 'part of the address', modifier_id: 'part of the address' },
    products: { inventory_tracking: 'verify reports the level of stock with it, which makes two fields' },
    images: { product_id: 'part of the address' },
    custom_fields: { product_id: 'part of the address' },
    product_videos: { product_id: 'part of the address', video_id: 'fixed when the video is made' },
    bulk_pricing_rules: { product_id: 'part of the address' },
    customs_information: { product_id: 'names the row' },
    complex_rules: {
      product_id: 'part of the address',
      conditions: 'other conditions make another rule, which is a removed one and a doubled one',
    },
    reviews: { product_id: 'part of the address' },
    product_channel_assignments: {
      product_id: 'an assignment is made or removed',
      channel_id: 'an assignment is made or removed',
    },
    product_metafields: { resource_id: 'part of the address' },
    variant_metafields: { resource_id: 'part of the address' },
  },
  otherValues: {
    'products.type': ['physical', 'digital'],
    'products.condition': ['New', 'Used'],
    'products.availability': ['available', 'disabled'],
    'products.inventory_tracking': ['none', 'variant'],
    'products.gift_wrapping_options_type': ['any', 'none'],
    'products.open_graph_type': ['product', 'book'],
    'options.type': ['dropdown', 'rectangles'],
    'modifiers.type': ['text', 'multi_line_text'],
    'modifiers.config.date_limit_mode': ['range', 'earliest'],
    'product_metafields.permission_set': ['read', 'write'],
    'variant_metafields.permission_set': ['read', 'write'],
    'bulk_pricing_rules.type': ['price', 'percent'],
    'complex_rules.price_adjuster.adjuster': ['relative', 'percentage'],
    'complex_rules.weight_adjuster.adjuster': ['relative', 'percentage'],
    'reviews.status': ['approved', 'pending'],
    'modifier_values.adjusters.price.adjuster': ['relative', 'percentage'],
    'modifier_values.adjusters.weight.adjuster': ['relative', 'percentage'],
  },
  valuesForNull: {
    'products.preorder_release_date': '2027-05-01T00:00:00+00:00',
    'option_values.value_data': { colors: ['#123456'] },
  },
  identifying: {
    options: ['display_name'],
    option_values: ['label'],
    modifiers: ['display_name'],
    modifier_values: ['label'],
    custom_fields: ['name'],
    bulk_pricing_rules: ['quantity_min'],
  },
  onlyOnce: ['customs_information'],
  fewest: {
    paths: /^\/v3\/(catalog\/(products|variants|summary|categories\/\*\/products)|shipping\/products)/,
    tables: [
      'products',
      'options',
      'modifiers',
      'complex_rules',
      'reviews',
      'product_metafields',
      'variant_metafields',
    ],
    reads: (shops) =>
      shops.list(shops.count('products'), 'by id or cursor', pageOfProducts) +
      // The platform lists rules by product, and an order of products by category: those that can have any are read one by one.
      shops.owners('modifiers', 'product_id', hasValues(shops)) +
      readsBesideProducts(shops),
    // Only verify compares the options, modifiers and rules of a copy.
    compares: (copy) => copy.list(copy.count('products'), 'by id or cursor') + readsBesideProducts(copy),
    // The list, and another read of what was written, for its checksum (C2); customs information.
    looks: (shops) =>
      1 +
      callsOf(shops.count('products'), page) +
      1 +
      fewestOfMetafields('product').looks +
      fewestOfMetafields('variant').looks,
    writes: (shops) =>
      // The platform creates products, options, modifiers, rules and reviews one by one. Each option has a style or an order that
      // no creation can set.
      shops.count('products') +
      shops.count('options') +
      shops.count('modifiers') +
      shops.owners('modifier_values', 'modifier_id', isAdjusted(shops)) +
      shops.count('complex_rules') +
      shops.count('reviews') +
      callsOf(shops.count('products', namesLater), batches.relatedProducts) +
      callsOf(shops.count('product_channel_assignments'), batches.channelAssignments) +
      shops.owners('product_categories', 'category_id', ({ sort_order }) => Number(sort_order ?? 0) !== 0) +
      callsOf(shops.count('customs_information'), batches.customs) +
      fewestOfMetafields('product').writes(shops) +
      fewestOfMetafields('variant').writes(shops),
  },
  awkward: {
    failures: [
      ...metafields.failures,
      // Their pictures cannot be fetched.
      'product-images picture_not_fetched missing.png',
      'product-variants picture_not_fetched picture=gone',
      // They are older than the rules of the platform.
      'products platform_refused Costs less than nothing',
      'product-custom-fields platform_refused Empty',
      'product-option-values platform_refused one',
      'product-reviews platform_refused Review *',
    ],
    findings: [
      ...metafields.findings,
      'product-images missing Picture gone > missing.png',
      'product-images different Picture gone > there.png is_thumbnail',
      'product-variants different SKU GONE-PICTURE > Picture=Gone image_url',
      // It was in that category as well.
      'products different In every category categories',
      // They name items that are gone from the source.
      'products different Brand gone brand_id',
      'products different Category gone categories',
      'products different Related product gone related_products',
      // Pictures in texts are left where they are and reported.
      'products different SKU LINKS-GONE description',
      'product-modifier-values missing SKU PRODUCT-LISTS > Goes with (product_list) > Gone',
      'product-modifier-values missing SKU PRODUCT-LISTS > Goes with (product_list_with_images) > Gone',
      // Their product is gone.
      'product-channel-assignments missing no products * > default storefront',
      'product-metafields missing no products * > awkward.left',
      // Channels are never created.
      'product-channel-assignments missing Channel gone > no channels *',
      'product-channel-assignments missing SKU x > Closed-outlet',
      'product-channel-assignments missing SKU x > Deleted',
      'product-channel-assignments missing SKU x > Old_market',
      'product-channel-assignments missing On no storefront > Deleted',
      'product-channel-assignments missing On no storefront > Old_market',
      'product-channel-assignments missing On no storefront > Closed-outlet',
      // The platform makes the first picture the thumbnail, and gives a product without options a base variant.
      'product-images different No thumbnail > plain.png is_thumbnail',
      'product-variants extra Base variant gone > base variant',
      // They are older than the rules of the platform.
      'products missing Costs less than nothing',
      'product-custom-fields missing Custom field without a value > Empty: ',
      'product-option-values missing Two values of one name > Size > one',
      'product-variants different Two values of one name > Size=one option_values',
      'product-reviews missing Reviewed on no day > Old',
      'products different Address of another age custom_url',
      'products different Address of the category Men custom_url',
      'products different Eight decimals cost_price',
      'products different Eight decimals price',
      'products different Eight decimals weight',
      'products different SKU OVERSOLD inventory_level',
      'product-variants different SKU OVERSOLD > base variant inventory_level',
      'product-variants different Oversold variants > Size=S inventory_level',
    ],
  },
}

/** Only modifiers with values can take part in a rule. */
function hasValues(shops: Shops): (modifier: SourceRow) => boolean {
  const owners = shops.sizes('modifier_values', 'modifier_id')
  return ({ id }) => owners.has(id)
}

/** A checkbox comes with its own Yes and No; their price changes are set afterwards. */
function isAdjusted(shops: Shops): (value: SourceRow) => boolean {
  const checkboxes = new Set(shops.rows('modifiers').flatMap(({ id, type }) => (type === 'checkbox' ? [id] : [])))
  return ({ modifier_id }) => checkboxes.has(Number(modifier_id))
}
