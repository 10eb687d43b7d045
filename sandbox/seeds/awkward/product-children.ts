import type { Row, SandboxStore } from '../../store/store.ts'
import {
  bulkPricingRuleTable,
  customFieldTable,
  imageTable,
  productMetafieldTable,
  productTable,
  reviewTable,
  videoTable,
} from '../../tables/product-tables.ts'
import { type AwkwardProduct, type AwkwardShop, filled, idIn } from './awkward-shop.ts'
import { seedAsManyMetafieldsAsAllowed, seedMetafieldsOfEveryKind } from './metafields.ts'

const LONG_TEXT = 65_535

type Fields = Record<string, unknown>
type Grow = NonNullable<AwkwardProduct['grow']>

export const PARENT_PRODUCTS: readonly AwkwardProduct[] = [
  { name: '1,000 images', grow: childrenOf(insertImage, thousandImages()) },
  {
    name: 'Pictures in disorder',
    grow: childrenOf(insertImage, [
      { image_file: 'a/1/back__10001.png', sort_order: 5 },
      { image_file: 'a/1/front__10002.png', sort_order: -1, description: filled('A long description. ', LONG_TEXT) },
      { image_file: 'a/1/side__10003.png', sort_order: 5, description: '', is_thumbnail: true },
      { image_file: 'b/2/with space & plus+__10004.png', sort_order: 2_147_483_647, description: 'שלום 🎈 <b>' },
      { image_file: 'b/2/crème-日本__10005.png', sort_order: 0, description: ' ' },
    ]),
  },
  {
    name: 'The same picture twice',
    grow: childrenOf(insertImage, [
      { image_file: 'a/1/twin__10001.png', sort_order: 0, description: 'Twin', is_thumbnail: true },
      { image_file: 'a/1/twin__10002.png', sort_order: 0, description: 'Twin' },
    ]),
  },
  {
    name: 'A picture whose address is too long to be named in a call',
    grow: childrenOf(insertImage, [{ image_file: `a/1/${filled('long-', 240)}__10001.png`, is_thumbnail: true }]),
  },
  { name: 'No thumbnail', grow: childrenOf(insertImage, [{ image_file: 'a/1/plain__10001.png' }]) },
  {
    name: 'Picture gone',
    grow: childrenOf(insertImage, [
      { image_file: 'a/1/missing__10001.png', is_thumbnail: true },
      { image_file: 'a/1/there__10002.png', sort_order: 1 },
    ]),
  },
  { name: '200 custom fields', grow: childrenOf(insertCustomField, twoHundredFields()) },
  {
    name: 'Custom fields that look alike',
    grow: childrenOf(insertCustomField, [
      { name: 'Care', value: 'Wash' },
      { name: 'Care', value: 'wash' },
      { name: 'care', value: 'Wash' },
      { name: 'Care', value: 'Do not wash' },
      { name: 'Crème'.normalize('NFC'), value: '1' },
      { name: 'Crème'.normalize('NFD'), value: '1' },
      { name: ' Care', value: 'Wash' },
      { name: '__hidden', value: '=1+1' },
      { name: 'مقاس', value: '٤٢ 👟' },
    ]),
  },
  { name: '50 bulk pricing rules', grow: childrenOf(insertBulkRule, fiftyRules()) },
  ...(['price', 'percent', 'fixed'] as const).map((type) => ({
    name: `Bulk pricing by ${type}`,
    grow: childrenOf(insertBulkRule, [
      { quantity_min: 2, quantity_max: 9, type, amount: 1.2345 },
      // A maximum of 0 means "and more".
      { quantity_min: 10, quantity_max: 0, type, amount: 5 },
    ]),
  })),
  {
    name: 'Videos',
    grow: childrenOf(insertVideo, [
      { video_id: 'aaaaaaaaaaa', title: 'Twin' },
      { video_id: 'aaaaaaaaaaa', title: 'Twin' },
      { video_id: 'bbbbbbbbbbb', sort_order: -1, description: filled('A long description. ', LONG_TEXT) },
      { video_id: '-_-_-_-_-_-', sort_order: 7, title: filled('Title ', 255) },
      { video_id: 'ccccccccccc', sort_order: 7, title: 'فيديو 🎬' },
    ]),
  },
  { name: 'Reviews', grow: plantReviews },
  {
    name: '250 metafields',
    grow: ({ store }, { id }) => seedAsManyMetafieldsAsAllowed(store, productMetafieldTable(store), id),
  },
  {
    name: 'Metafields of every kind',
    grow: ({ store }, { id }) => seedMetafieldsOfEveryKind(store, 'product', productMetafieldTable(store), id),
  },
  { name: '50 related products', link: relateFifty },
]

function childrenOf(
  insert: (store: SandboxStore, product: Row, fields: Fields) => void,
  rows: readonly Fields[],
): Grow {
  return ({ store }, product) => {
    for (const row of rows) insert(store, product, row)
  }
}

function insertImage(store: SandboxStore, { id, date_modified }: Row, fields: Fields): void {
  const plain = { is_thumbnail: false, sort_order: 0, description: '' }
  imageTable(store).insert({ product_id: id, ...plain, ...fields, date_modified })
}

function thousandImages(): Fields[] {
  return Array.from({ length: 1_000 }, (_none, at) => ({
    image_file: `t/${at % 10}/view-${at + 1}__${20_000 + at}.png`,
    sort_order: at,
    description: at % 100 === 0 ? `View ${at + 1}` : '',
    // In the middle, where a page of images ends.
    is_thumbnail: at === 250,
  }))
}

function insertCustomField(store: SandboxStore, { id }: Row, fields: Fields): void {
  customFieldTable(store).insert({ product_id: id, ...fields })
}

function twoHundredFields(): Fields[] {
  const longest = { name: filled('Name ', 250), value: filled('Value ', 250) }
  return [longest, ...Array.from({ length: 199 }, (_none, at) => ({ name: `Field ${at % 40}`, value: `Value ${at}` }))]
}

function insertBulkRule(store: SandboxStore, { id }: Row, fields: Fields): void {
  bulkPricingRuleTable(store).insert({ product_id: id, ...fields })
}

function fiftyRules(): Fields[] {
  return Array.from({ length: 50 }, (_none, at) => ({
    quantity_min: at * 10 + 2,
    quantity_max: at === 49 ? 0 : at * 10 + 11,
    type: 'percent',
    amount: at + 0.5,
  }))
}

function insertVideo(store: SandboxStore, { id }: Row, fields: Fields): void {
  const plain = { title: '', description: '', sort_order: 0, type: 'youtube', length: '01:00' }
  videoTable(store).insert({ product_id: id, ...plain, ...fields })
}

const REVIEWS: readonly Fields[] = [
  { title: 'Twin', text: 'The same', status: 'approved', rating: 5, name: 'A. Shopper', email: 'shopper@example.com' },
  { title: 'Twin', text: 'The same', status: 'approved', rating: 5, name: 'A. Shopper', email: 'shopper@example.com' },
  { title: 'Waiting', status: 'pending', rating: 3, date_reviewed: '2024-02-29T23:59:59-11:00' },
  { title: 'Refused', status: 'disapproved', rating: 1, date_reviewed: '2024-03-01T00:15:00+14:00' },
  { title: 'No stars', status: 'approved', rating: 0, name: '', email: '', text: '' },
  {
    title: filled('Title ', 255),
    status: 'approved',
    rating: 4,
    name: filled('Name ', 255),
    text: filled('Text ', 65_535),
  },
  {
    title: 'رائع 🎉',
    status: 'approved',
    rating: 4,
    name: 'Zoë',
    text: '<b>&amp;</b>\r\nline',
    date_reviewed: '1999-12-31T23:59:59+05:45',
  },
]

function plantReviews({ store }: AwkwardShop, product: Row): void {
  const moment = '2024-02-29T12:00:00+00:00'
  const plain = { text: '', name: '', email: '', date_reviewed: moment, date_created: moment, date_modified: moment }
  for (const review of REVIEWS) reviewTable(store).insert({ product_id: product.id, ...plain, ...review })
  const approved = REVIEWS.filter((review) => review.status === 'approved')
  productTable(store).update(product.id, {
    reviews_count: approved.length,
    reviews_rating_sum: approved.reduce((sum, { rating }) => sum + Number(rating), 0),
  })
}

/** Relates it to earlier products, to a later one, and to itself. */
function relateFifty({ store, products }: AwkwardShop, product: Row): void {
  const others = [...products.values()].filter((id) => id !== product.id).slice(0, 48)
  productTable(store).update(product.id, {
    related_products: [...others, idIn(products, 'Last of the awkward'), product.id],
  })
}
