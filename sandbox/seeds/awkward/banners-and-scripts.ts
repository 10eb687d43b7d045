import { channelsTable } from '../../resources/channels/channels.ts'
import { insertScript } from '../../resources/content/script-rows.ts'
import { insertBanner } from '../../resources/marketing/banner-rows.ts'
import { type AwkwardShop, filled, goneId, idIn } from './awkward-shop.ts'

const BORN = '1709251199'
const MADE = '2024-02-29T23:59:59Z'

/**
 * Adds banners with equal names in one position, for deleted pages, with past dates, and with HTML that links into the
 * shop.
 */
export function plantAwkwardBanners({ store, categories, brands }: AwkwardShop): void {
  const shop = `https://${store.hash}.example`
  const plain = { name: 'Plain', content: '<p>Plain</p>', page: 'home_page', location: 'top' }
  for (const fields of [
    plain,
    { ...plain, content: '<p>Another of that name</p>' },
    { ...plain, name: 'PLAIN', location: 'bottom' },
    { ...plain, name: 'In a category', page: 'category_page', item_id: String(idIn(categories, 'Women/Shoes')) },
    { ...plain, name: 'In every category', page: 'category_page' },
    { ...plain, name: 'Of a maker', page: 'brand_page', item_id: String(idIn(brands, 'Plain')) },
    { ...plain, name: 'Category gone', page: 'category_page', item_id: String(goneId(store, 'categories')) },
    { ...plain, name: 'Over', date_type: 'custom', date_from: '1', date_to: '2', visible: '0' },
    {
      ...plain,
      name: filled('Ein Banner 🎏', 250),
      content: `<a href='${shop}/sale/'>خصم</a><img src="//${store.hash}.example/content/a.png">`,
    },
  ])
    insertBanner(store, fields, BORN)
}

/**
 * Adds two scripts with the same name, code with links into the shop, a script of a closed storefront, and one of
 * another app.
 */
export function plantAwkwardScripts({ store }: AwkwardShop): void {
  const shop = `https://${store.hash}.example`
  const closed =
    channelsTable(store)
      .find({})
      .find(({ name }) => name === 'Closed-outlet')?.id ?? 1
  const own = `client${store.hash}`
  const add = (name: string, fields: object, clientId = own) => insertScript(store, { name, ...fields }, clientId, MADE)
  add('Twice', { src: 'https://widgets.example/one.js' })
  add('Twice', { src: 'https://widgets.example/two.js', location: 'footer' })
  add('From the shop', { src: `${shop}/content/own.js`, load_method: 'defer' })
  add('To the shop', {
    kind: 'script_tag',
    html: `<script>\n  go('${shop}/sale/') // "<b>"\n</script>`,
    enabled: false,
  })
  add(filled('Long ', 255), { kind: 'script_tag', html: `<script>${filled('x();', 65_519)}</script>` })
  add('On a closed storefront', { src: 'https://widgets.example/one.js', channel_id: closed })
  add('Of another app', { src: 'https://widgets.example/other.js' }, 'another-app')
}
