/** Closed lists of the platform: what a field may also say. */
const alternatives: Record<string, string[]> = {
  'redirects.to.type': ['product', 'brand'],
  'products.type': ['physical', 'digital'],
  'custom_template_associations.file_name': ['custom-product-1.html', 'landing.html'],
  'products.condition': ['New', 'Used'],
  'products.availability': ['available', 'disabled'],
  'products.inventory_tracking': ['none', 'variant'],
  'products.gift_wrapping_options_type': ['any', 'none'],
  'products.open_graph_type': ['product', 'book'],
  'categories.default_product_sort': ['newest', 'alpha_desc'],
  'options.type': ['dropdown', 'rectangles'],
  'modifiers.type': ['text', 'multi_line_text'],
  'modifiers.config.date_limit_mode': ['range', 'earliest'],
  'product_metafields.permission_set': ['read', 'write'],
  'category_metafields.permission_set': ['read', 'write'],
  'brand_metafields.permission_set': ['read', 'write'],
  'variant_metafields.permission_set': ['read', 'write'],
  'customer_metafields.permission_set': ['read', 'write'],
  'order_metafields.permission_set': ['read', 'write'],
  'customer_attributes.type': ['string', 'number'],
  'subscribers.source': ['storefront', 'custom'],
  'customer_addresses.address_type': ['residential', 'commercial'],
  'bulk_pricing_rules.type': ['price', 'percent'],
  'complex_rules.price_adjuster.adjuster': ['relative', 'percentage'],
  'complex_rules.weight_adjuster.adjuster': ['relative', 'percentage'],
  'reviews.status': ['approved', 'pending'],
  'promotions.status': ['DISABLED', 'ENABLED'],
  'coupons.type': ['free_shipping', 'per_total_discount'],
  'scripts.load_method': ['async', 'defer'],
  'scripts.location': ['head', 'footer'],
  'scripts.visibility': ['storefront', 'order_confirmation'],
  'scripts.consent_category': ['essential', 'analytics'],
  'banners.location': ['top', 'bottom'],
  'banners.date_type': ['always', 'custom'],
  'banners.visible': ['1', '0'],
  'gift_certificates.status': ['pending', 'disabled'],
  'gift_certificates.template': ['girl.html', 'boy.html'],
  'modifier_values.adjusters.price.adjuster': ['relative', 'percentage'],
  'modifier_values.adjusters.weight.adjuster': ['relative', 'percentage'],
}

/** Fields that hold no text when they are null. */
const nullMeans: Record<string, unknown> = {
  'products.preorder_release_date': '2027-05-01T00:00:00+00:00',
  'option_values.value_data': { colors: ['#123456'] },
}

/** Of money and measures. */
const DECIMALS = 4

/** Another value that the platform would take for this field. `path` is table and field, joined by dots. */
export function otherValue(path: string, value: unknown): unknown {
  const listed = alternatives[path]
  // Somebody put the first region of the page into another one, too.
  if (path.endsWith('_contexts.regions') && Array.isArray(value))
    return [...value, { ...value[0], name: 'other_region' }]
  // Somebody shows shoppers one filter less.
  if (path === 'search_filter_contexts.data' && Array.isArray(value)) return value.slice(1)
  if (listed) return listed.find((one) => one !== value)
  if (value === null) return nullMeans[path] ?? 7.25
  if (typeof value === 'boolean') return !value
  // The platform keeps no more decimals, while a sum such as 1.07 + 1 has more.
  if (typeof value === 'number') return Number((value + 1).toFixed(DECIMALS))
  if (path.endsWith('.colors')) return ['#123456']
  if (path.startsWith('customer_consents.')) return ['analytics']
  if (Array.isArray(value)) return path.endsWith('.config') ? { default_value: 'other' } : [...value, 'other']
  return otherText(path, String(value))
}

function otherText(path: string, text: string): string {
  if (/^gift_certificates\.\w+_date$/.test(path)) return '2000000000'
  if (/^banners\.date_/.test(path)) return '2000000000'
  if (/^promotions\.(start|end)_date$/.test(path)) return '2033-01-01T00:00:00+00:00'
  if (/^blog_posts\.published_date$/.test(path)) return '2021-01-01T00:00:00Z'
  if (/^coupons\.expires$/.test(path)) return 'Sat, 01 Jan 2033 00:00:00 +0000'
  if (/\.(upc|gtin)$/.test(path)) return text === '700000000001' ? '700000000002' : '700000000001'
  if (/\.(custom_url\.url|url\.path)$|^(pages|blog_posts)\.url$/.test(path)) return `/other${text}`
  if (/date_(earliest|latest)_value$|release_date$|date_reviewed$/.test(path)) return '2027-06-01T00:00:00+00:00'
  if (/^images\.image_file$|^(variants|brands|categories|complex_rules)\.image_url$/.test(path))
    return 'o/1/other-picture__00001.png'
  return text === '' ? 'other' : `${text} other`
}
