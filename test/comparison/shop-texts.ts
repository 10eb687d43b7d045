import type { Row, StoreSide } from './store-side.ts'

/** The spellings of the slash, the dot and the colon in a text. */
const spellings: readonly [RegExp, string][] = [
  [/&(#47|#x2f|sol);/gi, '/'],
  [/&(#46|#x2e|period);/gi, '.'],
  [/&(#58|#x3a|colon);/gi, ':'],
  [/\\\//g, '/'],
]

/** Where a text names an item by its id, and in which table that is. */
const named: readonly [RegExp, string][] = [
  [/((?:[?&;])product_?id=)(\d+)/gi, 'products'],
  [/(\bdata-product-id\s*=\s*["']?)(\d+)/gi, 'products'],
  [/(\bdata-category-id\s*=\s*["']?)(\d+)/gi, 'categories'],
  [/(\bdata-brand-id\s*=\s*["']?)(\d+)/gi, 'brands'],
  [/(\bname="product_id" value=")(\d+)/gi, 'products'],
  [/(\/compare\/)(\d+)/gi, 'products'],
]

/**
 * A text as it would read in any store: the store's own addresses and the ids of its items are replaced by names that both stores
 * share. Traces of another store remain, and are a difference.
 */
export function shopText(text: unknown, side: StoreSide): unknown {
  if (typeof text !== 'string') return text
  let plain = text
  for (const [spelling, character] of spellings) plain = plain.replace(spelling, character)
  for (const address of addressesOf(side)) plain = plain.replace(address, '{shop}')
  for (const [address, table] of named)
    plain = plain.replace(address, (whole, before: string, id: string) => {
      const row = side.get(table, Number(id))
      return row ? `${before}{${nameOf(row)}}` : whole
    })
  return plain
}

function addressesOf(side: StoreSide): RegExp[] {
  const urls = side.rows('sites').flatMap(({ url, checkout_url }) => [url, checkout_url])
  const hosts = urls.flatMap((url) => /^https?:\/\/(.+?)\/?$/.exec(String(url ?? ''))?.[1] ?? [])
  const hash = hosts[0]?.split('.')[0] ?? ''
  if (hash === '') return []
  const own = [...hosts, `store-${hash}.example`, `store-${hash}.mybigcommerce.com`].map(
    (host) => `(www\\.)?${escaped(host)}`,
  )
  const below = [`cdn\\d*\\.bigcommerce\\.com/s-${hash}`, `[^/\\s"'<>]+/stores/${hash}`]
  return [...own, ...below].map(
    (address) => new RegExp(`(https?:)?//${address}(:443|:80)?(?=[/?#"'\\s<>)&,;]|$)`, 'gi'),
  )
}

function escaped(host: string): string {
  return host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Before any pairing only the row's own fields count. */
function nameOf({ sku, name }: Row): string {
  return String(sku || name)
}
