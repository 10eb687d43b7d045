import type { Row, SandboxStore } from '../../store/store.ts'
import { slug } from '../../store/urls.ts'
import { customFieldTable, imageTable, productMetafieldTable } from '../../tables/product-tables.ts'
import { catalogDate } from '../../validation/dates.ts'

/** When the first seeded product was created; the others follow by the hour. Fixed, so that a seed never changes. */
const FIRST_MS = Date.UTC(2024, 0, 8, 9, 30)
const HOUR_MS = 3_600_000

/**
 * All products of a seed are created within this many hours. Larger seeds use shorter steps, because their dates would
 * otherwise be in the future.
 */
const MOST_HOURS = 10_000

function createdMs(n: number, count: number): number {
  return FIRST_MS + n * HOUR_MS * Math.min(1, MOST_HOURS / count)
}

/** @param count the number of products in the seed */
export function createdDate(n: number, count: number): string {
  return catalogDate(new Date(createdMs(n, count)))
}

export function modifiedDate(n: number, count: number): string {
  return catalogDate(new Date(createdMs(n, count) + ((n * 37) % 500) * HOUR_MS))
}

/** HTML as merchants paste it, with entities, a link, a picture of the store, and spaces that a careless copy loses. */
export function description(name: string, neighbourUrl: string | undefined, n: number): string {
  const shown = name.replaceAll('&', '&amp;')
  const link = neighbourUrl ? `<p>Goes well with <a href="${neighbourUrl}" title="See it">this one</a>.</p>` : ''
  const picture =
    n % 3 === 0
      ? `<p><img src="/product_images/uploaded_images/${slug(name)}.jpg" alt="${shown.replaceAll('"', '&quot;')}"></p>`
      : ''
  const list = n % 4 === 1 ? '<ul>\n  <li>Hand-finished\u00a0edges</li>\n  <li>No. 7 &ndash; tested</li>\n</ul>' : ''
  return `<p><strong>${shown}</strong> — made in small series,  with care.</p>${link}${picture}${list}`
}

/** Adds one to four pictures. Sometimes the thumbnail is the last, not the first. */
export function seedImages(store: SandboxStore, product: Row, n: number): void {
  const count = 1 + (n % 4)
  const thumbnail = n % 6 === 5 ? count - 1 : 0
  const base = slug(String(product.name))
  for (let at = 0; at < count; at++) {
    imageTable(store).insert({
      product_id: product.id,
      is_thumbnail: at === thumbnail,
      sort_order: at,
      description: at === 0 ? `${product.name}` : at === 1 ? 'Detail' : '',
      image_file: `${String.fromCharCode(97 + (n % 26))}/${n % 1000}/${base}-${at + 1}__${String(10_001 + n).slice(-5)}.png`,
      date_modified: product.date_modified,
    })
  }
}

export function seedCustomFields(store: SandboxStore, product: Row, n: number): void {
  const table = customFieldTable(store)
  table.insert({ product_id: product.id, name: 'Origin', value: ['Portugal', 'Łódź', 'Ōsaka', 'Peru'][n % 4] })
  if (n % 3 === 0) table.insert({ product_id: product.id, name: 'Care', value: '30° & gentle' })
  // The same name may occur twice with different values.
  if (n % 9 === 0) table.insert({ product_id: product.id, name: 'Care', value: 'Do not bleach' })
}

const METAFIELDS = [
  { namespace: 'specs', key: 'assembly', value: '{"minutes": 15, "tools": ["hex key"]}', permission_set: 'write' },
  { namespace: 'shelf', key: 'location', value: 'A-12', permission_set: 'read' },
  { namespace: 'campaign', key: 'badge', value: 'Nouveauté', permission_set: 'read_and_sf_access' },
] as const

/** Adds one to three metafields. Every tenth product also has one of another app. */
export function seedMetafields(store: SandboxStore, product: Row, turn: number): void {
  for (const [at, metafield] of METAFIELDS.slice(0, 1 + (turn % 3)).entries()) {
    productMetafieldTable(store).insert({
      description: at === 0 ? 'Filled in by the warehouse' : '',
      ...metafield,
      resource_type: 'product',
      resource_id: product.id,
      owner_client_id: turn % 10 === 9 && at === 0 ? 'another-app' : `client${store.hash}`,
      date_created: product.date_created,
      date_modified: product.date_modified,
    })
  }
}
