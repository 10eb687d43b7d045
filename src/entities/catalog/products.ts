import { itemsIn } from '../../bigcommerce/pages.ts'
import { numberOf } from '../../model/destination-id.ts'
import { chosenFields } from '../core/chosen-fields.ts'
import type { SideEffects } from '../core/component.ts'
import { type Draft, draft, outsideField, outsideOf, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { pricesAndMeasures, withFourDecimals } from '../core/four-decimals.ts'
import { linkedFields } from '../core/links.ts'
import { productMetafields, variantMetafields } from '../core/metafields.ts'
import { usualTexts, withoutNullTexts } from '../core/null-texts.ts'
import { identity, type References } from '../core/references.ts'
import { withOutside } from '../core/with-outside.ts'
import { complexRules, complexRulesOf, mayHaveRules, rulesField, rulesPath } from './complex-rules.ts'
import { customsInformation, customsInformationPass } from './customs-information.ts'
import { productChildren, settableLevel } from './product-children.ts'
import { productComponents } from './product-components.ts'
import { productLimits } from './product-limits.ts'
import { productOrder, productOrders } from './product-order.ts'
import { inStock } from './product-variants.ts'
import { addressOf, withoutEmptyAddress } from './web-address.ts'

const reading = { path: '/v3/catalog/products', kind: 'keyset', idField: 'id' } as const
/** The platform limits pages to ten products when options or modifiers are included. */
const withoutOptions = 'variants,images,custom_fields,channels,videos,bulk_pricing_rules,reviews'
const everything = { include: `${withoutOptions},options,modifiers`, limit: 10 }

/** Fields that themes render as HTML. */
const texts = ['description', 'warranty']

/** Null in answers if they were never set, but not in requests. */
const nullTexts = [
  ...[...usualTexts, 'warranty', 'open_graph_title', 'open_graph_description', 'upc', 'mpn', 'gtin'],
  ...['bin_picking_number', 'availability_description', 'preorder_message', 'price_hidden_label', 'product_tax_code'],
]

/**
 * One product with its children. Left out are fields that belong to the platform (dates, counters, calculated prices)
 * or to another component (children), and those that cannot be copied (gift wraps).
 */
export function productDraft(item: PlatformItem, references: References): Draft {
  const {
    id,
    variants: _v,
    images: _i,
    custom_fields: _c,
    options: _o,
    modifiers: _m,
    channels: _ch,
    videos: _vi,
    bulk_pricing_rules: _b,
    reviews: _r,
    [rulesField]: _cr,
    [outsideField]: _out,
    primary_image: _p,
    parent_relations: _pr,
    related_products,
    date_created: _dc,
    date_modified: _dm,
    date_last_imported: _dl,
    calculated_price: _cp,
    base_variant_id: _bv,
    option_set_id: _os,
    option_set_display: _od,
    reviews_count: _rc,
    reviews_rating_sum: _rs,
    total_sold: _ts,
    view_count: _vc,
    gift_wrapping_options_list: _gw,
    brand_name: _bn,
    inventory_level,
    categories,
    brand_id,
    tax_class_id,
    ...rest
  } = withFourDecimals(withoutNullTexts(withoutEmptyAddress(item), nullTexts), pricesAndMeasures)
  const linkedTexts = linkedFields(rest, texts, references)
  const body: PlatformItem = { ...rest, ...linkedTexts, categories: counterparts('categories', categories, references) }
  if (Number(brand_id ?? 0) !== 0) body.brand_id = references.want('brands', brand_id)
  else if (brand_id !== undefined) body.brand_id = brand_id
  if (Number(tax_class_id ?? 0) !== 0) body.tax_class_id = references.want('tax-classes', tax_class_id)
  else if (tax_class_id !== undefined) body.tax_class_id = tax_class_id
  const related = relatedTo(related_products, references)
  if (related) body.related_products = related
  // If stock is tracked by variant, the product's level is the sum of its variants and is not set here. If it is not
  // tracked, the level takes effect once the merchant turns tracking on.
  if (item.inventory_tracking !== 'variant') body.inventory_level = settableLevel(inventory_level)
  const name = String(item.name ?? '')
  const sku = typeof item.sku === 'string' && item.sku !== '' ? item.sku : null
  return draft('products', id, body, {
    compare: { ...body, categories: inOrder(body.categories), ...(related && { related_products: inOrder(related) }) },
    keys: [...(sku ? [`sku:${sku.toLowerCase()}`] : []), `name:${name.trim().toLowerCase()}`],
    name,
    sku,
    path: addressOf(item),
    outside: outsideOf(item),
    children: [...productChildren(item, references), ...complexRulesOf(item, references)],
  })
}

/** In place of an id: the platform chooses the related products. */
const chosenByPlatform = -1

/** Related products may be copied after this one. Missing ones stay pending until all of them exist (C5). */
function relatedTo(ids: unknown, references: References): number[] | undefined {
  if (!Array.isArray(ids)) return undefined
  return ids.flatMap((id) => (id === chosenByPlatform ? id : (references.want('products', id) ?? [])))
}

function counterparts(component: string, ids: unknown, references: References): number[] {
  if (!Array.isArray(ids)) return []
  return ids.map((id) => references.want(component, id)).filter((id) => id !== undefined)
}

/** The order of these ids has no meaning. */
function inOrder(ids: unknown): number[] {
  return [...(ids as number[])].sort((a, b) => a - b)
}

function brandAndCategories({ brand_id, categories }: PlatformItem) {
  const brand = Number(brand_id ?? 0) === 0 ? [] : [{ component: 'brands', id: brand_id }]
  const ids: unknown[] = Array.isArray(categories) ? categories : []
  return [...brand, ...ids.map((id) => ({ component: 'categories', id }))]
}

/** The body with all children that are sent inline. The platform creates the base variant by itself. */
function createBody(product: Draft): PlatformItem {
  const inline = product.children.filter((child) => child.inline)
  const carried = productComponents.flatMap(({ key, inlineAs }) => {
    const bodies = inline.filter(({ component }) => component === key).map(({ body }) => body)
    return inlineAs && bodies.length > 0 ? [[inlineAs, bodies]] : []
  })
  return { ...product.body, ...Object.fromEntries(carried) }
}

/** By variant if its variants are tracked. */
const startingStock: NonNullable<SideEffects['startingStock']> = {
  sent({ body: { inventory_tracking: tracking, inventory_level: level }, children }) {
    if (tracking === 'product') return inStock([['', level]])
    if (tracking !== 'variant') return {}
    return inStock(variantsIn(children).map(({ keys, body }) => [keys[0] ?? '', body.inventory_level]))
  },
  saved(sent, { id, children }) {
    const productId = numberOf(id)
    const own = sent[''] === undefined ? [] : [{ productId, variantId: 0, quantity: sent[''] }]
    const ofVariants = variantsIn(children).flatMap((variant) => {
      const quantity = sent[variant.keys[0] ?? '']
      return quantity === undefined ? [] : [{ productId, variantId: numberOf(variant.id), quantity }]
    })
    return [...own, ...ofVariants]
  },
}

function variantsIn(children: Draft[]): Draft[] {
  return children.filter(({ component, keys }) => component === 'product-variants' && keys.length > 0)
}

export const products = defineEntity({
  key: 'products',
  label: 'Products',
  group: 'catalog',
  after: ['tax-classes', 'categories', 'brands'],
  scopes: [{ scope: 'store_v2_products', below: ['/v3/catalog'] }],
  scope: 'store',
  prune: 'allowed',
  components: [
    {
      key: 'products',
      label: 'Products',
      linkedAs: 'product',
      forecastAs: 'products',
      webAddress: 'refusedIfTaken',
      findings: [
        'currency',
        'weight_units',
        'dimension_units',
        'is_price_entered_with_tax',
        'digital-files',
        'webdav-files',
        'gift-wraps',
        'payments',
        'overrides',
      ],
      limits: productLimits,
      data: 'catalogue',
      recovery: 'key',
      naturalKey: 'SKU, else name, capitals aside',
      uniqueFields: ['name', 'sku'],
      destinationOwned: ['inventory_level'],
      sideEffects: { startingStock },
      carried: false,
      create: {
        batch: 1,
        call: ([only]) => ({
          method: 'POST',
          path: '/v3/catalog/products',
          body: only ? createBody(only.draft) : {},
          heavy: true,
        }),
      },
      update: {
        call: (desired, existing, _parentId, fields) => ({
          method: 'PUT',
          path: `/v3/catalog/products/${existing.id}`,
          body: withOutside(chosenFields(desired.body, fields), existing),
        }),
        several: {
          // Source: the published products PUT. The platform refuses more with a 413.
          batch: 10,
          call: (corrections) => ({
            method: 'PUT',
            path: '/v3/catalog/products',
            body: corrections.map(({ desired, existing, fields }) => ({
              id: numberOf(existing.id),
              ...withOutside(chosenFields(desired.body, fields), existing),
            })),
          }),
        },
      },
      remove: { call: (existing) => ({ method: 'DELETE', path: `/v3/catalog/products/${existing.id}` }) },
      probe: async (client, { keys }) => {
        const found: Draft[] = []
        for (const key of keys.flat()) {
          const [kind, value] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)]
          const query = { [kind]: value, ...everything }
          const items = itemsIn<PlatformItem>(await client.get(reading.path, query), reading.path)
          found.push(...items.map((item) => productDraft(item, identity)))
        }
        return found
      },
      callsPerItem: { write: 1 },
    },
    ...productComponents,
    complexRules,
    productMetafields.component,
    variantMetafields.component,
    customsInformation,
    productOrder,
  ],
  notMoved: [
    { what: 'files of digital products', why: "the platform's API does not give them out" },
    { what: 'files by WebDAV that descriptions show', why: "the platform's API does not give them out" },
    {
      what: 'shared option sets',
      why: 'the platform makes options below their product only: each product gets options of its own',
    },
    {
      what: 'that a product has lost its position in a sorted category',
      why: "the platform's API changes positions and takes none away",
    },
    {
      what: 'rules that the control panel made for a single choice, or for variants alone',
      why: "the platform's API does not create them; a warning names each that a product with choices has",
    },
    { what: 'rules for a choice or a variant that their product no longer has', why: 'they do nothing' },
    { what: 'which gift wraps a product offers', why: "the platform's API does not give it out" },
    {
      what: 'names and texts of a single storefront or language',
      why: "the platform's REST API gives out the general ones only",
    },
    {
      what: 'whose metafields of other API accounts are',
      why: "copies belong to the account of the destination's token; what an app keeps to itself cannot be read",
    },
    { what: 'views, units sold and dates of creation', why: 'the platform sets them itself' },
  ],
  passes: [
    {
      key: 'products',
      label: 'Products',
      root: 'products',
      source: { ...reading, query: { include: everything.include }, limit: everything.limit },
      picks: { idsParameter: 'id:in', query: { include_fields: 'brand_id,categories' }, needs: brandAndCategories },
      browsed: { words: 'keyword', key: 'sku', below: 'categories:in' },
      sameKey: ({ name, sku }): Record<string, string>[] =>
        sku ? [{ sku: String(sku) }, { name: String(name) }] : [{ name: String(name) }],
      storefront: ({ channelId }) => ({ 'channel_id:in': channelId }),
      sets: [
        { field: 'categories', of: 'categories' },
        { field: 'related_products', of: 'products' },
        { field: 'channels', of: 'channels' },
      ],
      byIds: {
        path: reading.path,
        query: { include: everything.include },
        idsParameter: 'id:in',
        limit: everything.limit,
      },
      destination: {
        ...reading,
        query: { include_fields: 'name,sku,custom_url,categories' },
        limit: 250,
        complete: false,
        compared: { query: { include: withoutOptions }, limit: 250 },
      },
      details: [{ field: rulesField, path: rulesPath, mayHave: mayHaveRules }],
      changedSince: 'date_modified:min',
      texts,
      drafts: productDraft,
    },
    productMetafields.pass,
    variantMetafields.pass,
    customsInformationPass,
    productOrders,
  ],
})
