import { insertTemplate, MOMENT, PLANTED } from '../../content/widget-tables.ts'
import { DEFAULT_CHANNEL_ID } from '../../resources/channels.ts'
import { insertAssociation } from '../../resources/custom-template-associations.ts'
import { layout, PagePlanter, region } from '../content.ts'
import type { AwkwardShop } from './awkward-shop.ts'

/** No product has it any more. */
const GONE = { id: 99_999_999 }

/**
 * Two templates of one name, a widget about a product that is gone, settings of odd shapes, a layout without a widget, as many
 * widgets on a page as it takes, and an item whose template the theme has no more.
 */
export function plantAwkwardContent({ store, products, categories }: AwkwardShop): void {
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
      planter.widget('text', 'Text', odd),
      layout([[], []]),
    ]),
    region('a_region_that_the_theme_lost', [planter.widget('text', '', {})]),
  ])
  const most = Array.from({ length: 150 }, (_none, n) => planter.widget('text', `Text ${n}`, { n }))
  planter.plant('pages/search', '', [region('search_below_header', most)])
  const [product, category] = [products.get('Last of the awkward'), categories.get('Sale')]
  insertAssociation(store, { channel_id, entity_type: 'product', entity_id: product, file_name: 'gone.html' }, MOMENT)
  insertAssociation(
    store,
    { channel_id, entity_type: 'category', entity_id: category, file_name: 'landing.html' },
    MOMENT,
  )
}
