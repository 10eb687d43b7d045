import { specs } from '../entities/specs/all-specs.ts'

const alternatives = new Map(specs.flatMap((spec) => Object.entries(spec.otherValues ?? {})))
const valuesForNull = new Map(specs.flatMap((spec) => Object.entries(spec.valuesForNull ?? {})))

/** Fields of money and measures. */
const DECIMALS = 4

/** Another value that the platform would accept for this field. `path` is table and field, joined by dots. */
export function otherValue(path: string, value: unknown): unknown {
  const listed = alternatives.get(path)
  // The content of the first region of the page is also in another one.
  if (path.endsWith('_contexts.regions') && Array.isArray(value))
    return [...value, { ...value[0], name: 'other_region' }]
  // Shoppers see one filter less.
  if (path === 'search_filter_contexts.data' && Array.isArray(value)) return value.slice(1)
  if (listed) return listed.find((one) => one !== value)
  if (value === null) return valuesForNull.get(path) ?? 7.25
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
