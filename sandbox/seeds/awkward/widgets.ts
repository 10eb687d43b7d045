import { DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import { insertAssociation } from '../../resources/content/custom-template-associations.ts'
import { insertTemplate, MOMENT, PLANTED } from '../../resources/content/widget-tables.ts'
import { layout, PagePlanter, region } from '../shop/content.ts'
import { type AwkwardShop, idIn } from './awkward-shop.ts'

/** Refers to a deleted item. */
const GONE = { id: 99_999_999 }

/**
 * Adds two templates with the same name; widgets about deleted items, and with unusual settings that link into the
 * shop, on one page and on all pages; a layout without widgets; a page with as many widgets as possible; and an item
 * whose template is no longer in the theme.
 */
export function plantAwkwardContent(shop: AwkwardShop): void {
  const { store, products, categories } = shop
  const channel_id = DEFAULT_CHANNEL_ID
  const uuids = ['<b>one</b>', '<b>two</b>'].map((template) =>
    String(insertTemplate(store, { name: 'Twins', template, channel_id, ...PLANTED }).uuid),
  )
  const planter = new PagePlanter(store, channel_id)
  const odd = {
    text: '<p>naïve – 日本語 🎈 {{handlebars}}</p>',
    productId: '',
    categoryId: null,
    nested: [[{ brandId: 0 }]],
  }
  planter.plant('pages/home', '', [
    region('home_below_menu', [
      ...uuids.map((uuid) => planter.custom(uuid, 'Twin')),
      planter.ofProduct(GONE),
      planter.ofPage(GONE),
      planter.widget('text', 'Text', odd),
      layout([[], []]),
    ]),
    region('a_region_that_the_theme_lost', [planter.widget('text', '', {})]),
  ])
  const most = Array.from({ length: 150 }, (_none, n) => planter.widget('text', `Text ${n}`, { n }))
  planter.plant('pages/search', '', [region('search_below_header', most)])
  planter.plant('pages/brands', '', [region('brands_below_header', [planter.widget('text', 'Links', linking(shop))])])
  planter.plant('', '', [region('header_bottom--global', [planter.widget('text', 'Everywhere', linking(shop))])])
  const [product, category] = [products.get('Last of the awkward'), categories.get('Sale')]
  insertAssociation(store, { channel_id, entity_type: 'product', entity_id: product, file_name: 'gone.html' }, MOMENT)
  insertAssociation(
    store,
    { channel_id, entity_type: 'category', entity_id: category, file_name: 'landing.html' },
    MOMENT,
  )
}

/** Links into the shop, in each way in which a setting can hold an address. */
function linking({ store, products }: AwkwardShop): object {
  const address = `https://${store.hash}.example`
  const id = idIn(products, 'Last of the awkward')
  return {
    html: `<a href="${address}/cart.php?action=add&amp;product_id=${id}">buy</a><img src="//${store.hash}.example/content/a.png">`,
    link: `${address}/sale/`,
    slides: [{ background: `${address}/content/b.png`, to: '/sale/' }, [`See ${address}/sale/ for more.`]],
    elsewhere: 'https://elsewhere.example/?to=shop',
  }
}
