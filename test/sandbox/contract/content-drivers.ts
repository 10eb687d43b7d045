import { NOBODY, type Shop } from './contract-shop.ts'
import type { Driver } from './driver.ts'

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
  {
    operation: `GET ${PAGES}`,
    succeeds: [
      {},
      { query: 'channel_id=1&limit=2&page=2' },
      { query: 'name:like=about' },
      async (shop) => ({ query: `id:in=${await idOf(shop)}` }),
    ],
    fails: [{ query: 'sort=name' }, { query: 'channel_id=many' }],
  },
  {
    operation: `POST ${PAGES}`,
    succeeds: [
      { body: aPage() },
      ...KINDS.map((body) => ({ body })),
      async (shop) => {
        await takeUrl(shop)
        return { body: aPage({ url: '/taken/' }) }
      },
    ],
    fails: [
      { body: { name: 'No type' } },
      { body: { type: 'raw', name: 'No body' } },
      { body: { type: 'blog', name: 'Blog' } },
      { body: aPage({ parent_id: NOBODY }) },
      async ({ first }) => ({ body: aPage({ name: (await first(PAGES)).name }) }),
    ],
  },
  {
    operation: `PUT ${PAGES}`,
    succeeds: [async (shop) => ({ body: [{ id: await idOf(shop), meta_description: 'Other' }] })],
    fails: [{ body: [{ id: NOBODY, name: 'Nobody' }] }, { body: [{ name: 'No id' }] }],
  },
  {
    operation: `DELETE ${PAGES}`,
    succeeds: [async (shop) => ({ query: `id:in=${await idOf(shop)}&delete_children=true` })],
    fails: [{ query: `id:in=${NOBODY}` }, {}],
  },
  {
    operation: `GET ${PAGE}`,
    succeeds: [async (shop) => ({ ids: [await idOf(shop)] })],
    fails: [{ ids: [NOBODY] }, { ids: ['bar'] }],
  },
  {
    operation: `PUT ${PAGE}`,
    succeeds: [async (shop) => ({ ids: [await idOf(shop)], body: { name: 'Another name', url: '/another/' } })],
    fails: [
      { ids: [NOBODY], body: { name: 'Nobody' } },
      async (shop) => ({ ids: [await idOf(shop)], body: { name: 'n'.repeat(101) } }),
    ],
  },
  {
    operation: `DELETE ${PAGE}`,
    succeeds: [async (shop) => ({ ids: [await idOf(shop)] })],
    fails: [{ ids: [NOBODY] }],
  },
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
  { operation: 'GET /v2/blog/tags', succeeds: [{}], fails: [] },
  {
    operation: `GET ${POSTS}`,
    succeeds: [{ query: 'is_published=true&limit=2' }, { query: 'tag=news' }],
    fails: [{ query: 'page=many' }],
  },
  {
    operation: `POST ${POSTS}`,
    succeeds: [
      { body: aPost() },
      async (shop) => {
        await takeUrl(shop)
        return { body: aPost({ url: '/taken/' }) }
      },
    ],
    fails: [{ body: { title: 'No body' } }, { body: aPost({ published_date: '2022-08-10' }) }],
  },
  { operation: `DELETE ${POSTS}`, succeeds: [{ query: 'limit=2' }], fails: [{ query: 'limit=many' }] },
  { operation: `GET ${POSTS}/count`, succeeds: [{}], fails: [] },
  {
    operation: `GET ${POST}`,
    succeeds: [async (shop) => ({ ids: [await postId(shop)] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `PUT ${POST}`,
    succeeds: [async (shop) => ({ ids: [await postId(shop)], body: aPost() })],
    fails: [{ ids: [NOBODY], body: aPost() }],
  },
  {
    operation: `DELETE ${POST}`,
    succeeds: [async (shop) => ({ ids: [await postId(shop)] })],
    fails: [{ ids: [NOBODY] }],
  },
]

const REDIRECTS = '/v3/storefront/redirects'

const redirectDrivers: Driver[] = [
  {
    operation: `GET ${REDIRECTS}`,
    succeeds: [
      { query: 'site_id=1000&id:min=1&limit=2&sort=id&direction=asc' },
      { query: 'include=to_url&sort=type&direction=desc' },
      { query: 'keyword=old-shop' },
    ],
    fails: [{ query: 'sort=colour' }],
  },
  {
    operation: `PUT ${REDIRECTS}`,
    succeeds: [
      { body: [{ site_id: 1000, from_path: '/old-url/', to: { type: 'url', url: '/new-url/' } }] },
      async ({ first }) => ({
        body: [
          { site_id: 1000, from_path: '/b', to: { type: 'brand', entity_id: (await first('/v3/catalog/brands')).id } },
        ],
      }),
    ],
    fails: [
      { body: [{ site_id: NOBODY, from_path: '/a' }] },
      { body: [{ site_id: 1000, from_path: '/a', to: { type: 'product', entity_id: NOBODY } }] },
    ],
  },
  {
    operation: `DELETE ${REDIRECTS}`,
    succeeds: [async ({ first }) => ({ query: `id:in=${(await first(REDIRECTS)).id}` }), { query: 'site_id=1000' }],
    fails: [{}],
  },
]

export const contentDrivers: Driver[] = [...pageDrivers, ...blogDrivers, ...redirectDrivers]
