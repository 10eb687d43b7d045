import { DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import { insertPage } from '../../resources/content/page-rows.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { slug } from '../../store/urls.ts'

type Fields = Record<string, unknown>

/** Pages of each type, one of them below another. */
const PAGES: readonly Fields[] = [
  {
    name: 'About us',
    type: 'page',
    body: '<h1>About us</h1><p>We sell what we use. See <a href="/contact-us/">how to reach us</a>.</p>',
    meta_title: 'About our shop',
    meta_keywords: 'about,shop',
    meta_description: 'Who we are.',
    search_keywords: 'about,company',
    url: '/about-us/',
  },
  {
    name: 'Contact us',
    type: 'contact_form',
    body: '<p>We answer within a day.</p>',
    email: 'hello@example.com',
    contact_fields: 'fullname,phone,orderno',
    sort_order: 1,
    url: '/contact-us/',
  },
  { name: 'Help', type: 'page', body: '<p>Questions and answers.</p>', sort_order: 2, url: '/help/' },
  {
    name: 'Shipping and returns',
    type: 'page',
    below: 'Help',
    body: '<p>Free above fifty. Back to <a href="/help/">help</a>.</p>',
    meta_description: 'What shipping costs.',
    url: '/help/shipping-returns/',
  },
  {
    name: 'Size tables',
    type: 'raw',
    below: 'Shipping and returns',
    body: '<table><tr><td>S</td><td>36</td></tr></table>',
    search_keywords: 'sizes',
    is_visible: false,
    url: '/sizes.html',
  },
  { name: 'Our makers', type: 'link', below: 'Help', link: 'https://makers.example/', sort_order: 4 },
  {
    name: 'Members only',
    type: 'page',
    body: '<p>Prices for members.</p>',
    is_customers_only: true,
    sort_order: 5,
    url: '/members/',
  },
]

/** Adds the usual pages, then guides below the help page until there are `count` pages. */
export function seedPages(store: SandboxStore, count: number): void {
  const made = new Map<unknown, Row>()
  const plant = ({ below, ...fields }: Fields) => {
    const parent_id = made.get(below)?.id ?? 0
    made.set(fields.name, insertPage(store, { channel_id: DEFAULT_CHANNEL_ID, ...fields, parent_id }).row)
  }
  for (const page of PAGES) plant(page)
  for (let n = PAGES.length; n < count; n++) plant(guide(n))
}

function guide(n: number): Fields {
  const name = `Guide ${n}`
  return {
    name,
    type: 'page',
    below: 'Help',
    body: `<p>How to care for what you bought, part ${n}.</p>`,
    sort_order: n,
    url: `/guides/${slug(name)}/`,
  }
}
