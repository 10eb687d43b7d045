import { NO_SUCH_ID, type Shop } from '../contract-shop.ts'
import { at, type Driver, drive } from '../driver.ts'

const PAGES = '/v3/content/pages'
const PAGE = `${PAGES}/:pageId`

const aPage = (more: object = {}) => ({
  channel_id: 1,
  name: 'Content page',
  is_visible: false,
  parent_id: 0,
  sort_order: 0,
  type: 'page',
  is_homepage: false,
  meta_title: 'My page',
  meta_keywords: 'some,words',
  meta_description: 'A page',
  search_keywords: 'page',
  url: '/my-content-page',
  ...more,
})

const KINDS = [
  aPage({ type: 'contact_form', email: 'form@example.com', contact_fields: 'fullname' }),
  { name: 'Code', type: 'raw', body: '<b>1</b>', url: '/code' },
  { name: 'Elsewhere', type: 'link', link: 'https://elsewhere.example/' },
]

const idOf = async ({ first }: Shop) => (await first(PAGES)).id

/** Holds an address, so that a page which wants it is saved without. */
async function takeUrl({ made }: Shop): Promise<void> {
  await made('POST', '/v3/catalog/brands', { name: 'Was first', custom_url: { url: '/taken/', is_customized: true } })
}

const pageDrivers: Driver[] = [
  drive(
    `GET ${PAGES}`,
    [
      {},
      { query: 'channel_id=1&limit=2&page=2' },
      { query: 'name:like=about' },
      async (shop) => ({ query: `id:in=${await idOf(shop)}` }),
    ],
    [{ query: 'channel_id=many' }],
  ),
  drive(
    `POST ${PAGES}`,
    [
      { body: aPage() },
      ...KINDS.map((body) => ({ body })),
      async (shop) => {
        await takeUrl(shop)
        return { body: aPage({ url: '/taken/' }) }
      },
    ],
    [
      { body: { name: 'No type' } },
      { body: { type: 'raw', name: 'No body' } },
      { body: { type: 'blog', name: 'Blog' } },
      { body: aPage({ parent_id: NO_SUCH_ID }) },
      async ({ first }) => ({ body: aPage({ name: (await first(PAGES)).name }) }),
    ],
  ),
  drive(`PUT ${PAGES}`, async (shop) => ({ body: [{ id: await idOf(shop), meta_description: 'Other' }] }), [
    { body: [{ id: NO_SUCH_ID, name: 'Unknown' }] },
    { body: [{ name: 'No id' }] },
  ]),
  drive(`DELETE ${PAGES}`, async (shop) => ({ query: `id:in=${await idOf(shop)}&delete_children=true` }), [
    { query: `id:in=${NO_SUCH_ID}` },
    {},
  ]),
  drive(`GET ${PAGE}`, at(idOf), [{ ids: [NO_SUCH_ID] }, { ids: ['bar'] }]),
  drive(`PUT ${PAGE}`, at(idOf, { body: { name: 'Another name', url: '/another/' } }), [
    { ids: [NO_SUCH_ID], body: { name: 'Unknown' } },
    at(idOf, { body: { name: 'n'.repeat(101) } }),
  ]),
  drive(`DELETE ${PAGE}`, at(idOf)),
]

const POSTS = '/v2/blog/posts'
const POST = `${POSTS}/:postId`

const aPost = (more: object = {}) => ({
  title: 'Welcome',
  body: '<p>Hello</p>',
  tags: ['news'],
  is_published: true,
  published_date: 'Wed, 10 Aug 2022 15:39:15 -0500',
  meta_description: 'A post',
  meta_keywords: 'news',
  author: 'Robin',
  thumbnail_path: '',
  url: '/blog/welcome/',
  ...more,
})

/** Version 2 answers without an envelope. */
async function postId({ call }: Shop): Promise<number> {
  const { body } = await call({ method: 'GET', path: POSTS })
  return (body as { id: number }[])[0]?.id ?? 0
}

const blogDrivers: Driver[] = [
  drive('GET /v2/blog/tags'),
  drive(`GET ${POSTS}`, [{ query: 'is_published=true&limit=2' }, { query: 'tag=news' }], { query: 'page=many' }),
  drive(
    `POST ${POSTS}`,
    [
      { body: aPost() },
      async (shop) => {
        await takeUrl(shop)
        return { body: aPost({ url: '/taken/' }) }
      },
    ],
    [{ body: { title: 'No body' } }, { body: aPost({ published_date: '2022-08-10' }) }],
  ),
  drive(`DELETE ${POSTS}`, { query: 'limit=2' }, { query: 'limit=many' }),
  drive(`GET ${POSTS}/count`),
  drive(`GET ${POST}`, at(postId)),
  drive(`PUT ${POST}`, at(postId, { body: aPost() }), { ids: [NO_SUCH_ID], body: aPost() }),
  drive(`DELETE ${POST}`, at(postId)),
]

const REDIRECTS = '/v3/storefront/redirects'

const redirectDrivers: Driver[] = [
  drive(
    `GET ${REDIRECTS}`,
    [
      { query: 'site_id=1000&id:min=1&limit=2&sort=id&direction=asc' },
      { query: 'include=to_url&sort=type&direction=desc' },
      { query: 'keyword=old-shop' },
    ],
    { query: 'sort=colour' },
  ),
  drive(
    `PUT ${REDIRECTS}`,
    [
      { body: [{ site_id: 1000, from_path: '/old-url/', to: { type: 'url', url: '/new-url/' } }] },
      async ({ first }) => ({
        body: [
          { site_id: 1000, from_path: '/b', to: { type: 'brand', entity_id: (await first('/v3/catalog/brands')).id } },
        ],
      }),
    ],
    [
      { body: [{ site_id: NO_SUCH_ID, from_path: '/a' }] },
      { body: [{ site_id: 1000, from_path: '/a', to: { type: 'product', entity_id: NO_SUCH_ID } }] },
    ],
  ),
  drive(
    `DELETE ${REDIRECTS}`,
    [async ({ first }) => ({ query: `id:in=${(await first(REDIRECTS)).id}` }), { query: 'site_id=1000' }],
    {},
  ),
]

export const contentDrivers: Driver[] = [...pageDrivers, ...blogDrivers, ...redirectDrivers]
