import { pictureForm } from '../../../picture-form.ts'
import { NO_SUCH_ID, type Shop } from '../contract-shop.ts'
import { at, type Driver, drive, theFirst } from '../driver.ts'

const BRANDS = '/v3/catalog/brands'
const BRAND = `${BRANDS}/:brandId`

const TAKEN_URL = { url: '/taken/', is_customized: true }

function aBrand(shop: Shop) {
  return {
    name: 'Lumen & Co',
    page_title: 'Lumen',
    meta_keywords: ['light'],
    meta_description: 'Lamps',
    search_keywords: 'lumen',
    image_url: shop.picture('lumen.png'),
    custom_url: { url: '/lumen/', is_customized: true },
  }
}

/** Makes a brand that holds the address, so that the next one who wants it is saved without. */
async function takeUrl({ made }: Shop): Promise<void> {
  await made('POST', BRANDS, { name: 'Was first', custom_url: TAKEN_URL })
}

export const brandDrivers: Driver[] = [
  drive(`GET ${BRANDS}`, [{}, { query: 'limit=1&page=2' }], { query: 'id:in=many' }),
  drive(
    `POST ${BRANDS}`,
    [
      (shop) => ({ body: aBrand(shop) }),
      async (shop) => {
        await takeUrl(shop)
        return { body: { name: 'Too late', custom_url: TAKEN_URL } }
      },
    ],
    [{ body: { page_title: 'No name' } }, async ({ first }) => ({ body: { name: (await first(BRANDS)).name } })],
  ),
  drive(
    `DELETE ${BRANDS}`,
    async ({ first }) => ({ query: `name=${encodeURIComponent(String((await first(BRANDS)).name))}` }),
    {},
  ),
  drive(`GET ${BRAND}`, at(theFirst(BRANDS))),
  drive(
    `PUT ${BRAND}`,
    [
      async (shop) => ({ ids: [(await shop.first(BRANDS)).id], body: aBrand(shop) }),
      async (shop) => {
        await takeUrl(shop)
        const { id, name } = await shop.first(BRANDS)
        return { ids: [id], body: { name, custom_url: TAKEN_URL } }
      },
    ],
    [
      { ids: [NO_SUCH_ID], body: { name: 'Unknown' } },
      at(theFirst(BRANDS), { body: { name: 'n'.repeat(256) } }),
      async ({ first, made }) => {
        const other = await made('POST', BRANDS, { name: 'Other' })
        return { ids: [(await first(BRANDS)).id], body: { name: other.name } }
      },
    ],
  ),
  drive(`DELETE ${BRAND}`, [at(theFirst(BRANDS)), { ids: [NO_SUCH_ID] }], []),
  drive(`POST ${BRAND}/image`, at(theFirst(BRANDS), { body: pictureForm('lumen.png') }), [
    { ids: [NO_SUCH_ID], body: pictureForm('lumen.png') },
    async ({ first }) => ({
      ids: [(await first(BRANDS)).id],
      body: pictureForm('lumen.png', Buffer.from('no picture')),
    }),
  ]),
  drive(`DELETE ${BRAND}/image`, at(theFirst(BRANDS))),
]
