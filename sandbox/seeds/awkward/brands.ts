import { insertBrand } from '../../resources/catalog/brands.ts'
import { brandMetafieldTable } from '../../tables/product-tables.ts'
import { type AwkwardShop, filled, idIn } from './awkward-shop.ts'
import { seedMetafieldsOfEveryKind } from './metafields.ts'

const BRANDS: readonly [name: string, fields?: Record<string, unknown>][] = [
  ['Plain'],
  [filled('A brand whose name is as long as it may be. ', 255), { page_title: filled('title ', 255) }],
  ['Crème'.normalize('NFC')],
  ['Crème'.normalize('NFD')],
  ['A&B'],
  ['A&amp;B'],
  ['Tilly\'s "Best", <i>Ltd.</i>'],
  ['مصنع'],
  ['🦊 Fox'],
  ['和風'],
  ['0', { meta_keywords: ['', '0'], search_keywords: filled('word, ', 255) }],
  ['Sale', { custom_url: { url: '/Makers/Sale.html' } }],
  ['Without products', { meta_description: filled('A maker. ', 65_535) }],
  ['With a picture', { image_url: 'b/brand-with-a-picture.png' }],
  ['Picture gone', { image_url: 'b/missing-brand.png' }],
]

export function plantAwkwardBrands(shop: AwkwardShop): void {
  for (const [name, fields = {}] of BRANDS) shop.brands.set(name, insertBrand(shop.store, { name, ...fields }).id)
  seedMetafieldsOfEveryKind(shop.store, 'brand', brandMetafieldTable(shop.store), idIn(shop.brands, 'Plain'))
}
