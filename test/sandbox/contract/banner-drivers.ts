import { NOBODY, type Shop } from './contract-shop.ts'
import type { Driver } from './driver.ts'

const BANNERS = '/v2/banners'
const BANNER = {
  name: 'Sale',
  content: '<p>Sale</p>',
  page: 'category_page',
  item_id: '7',
  location: 'top',
  date_type: 'custom',
  date_from: '1717200000',
  date_to: '1719792000',
  visible: '1',
}

/** v2 answers without an envelope. */
async function aBanner({ call }: Shop): Promise<number> {
  const answer = await call({ method: 'POST', path: BANNERS, body: BANNER })
  return (answer.body as { id: number }).id
}

export const bannerDrivers: Driver[] = [
  {
    operation: `GET ${BANNERS}`,
    succeeds: [
      async (shop) => {
        await aBanner(shop)
        return { query: 'min_id=1&limit=10' }
      },
    ],
    fails: [{ query: 'min_id=many' }],
  },
  {
    operation: `POST ${BANNERS}`,
    succeeds: [{ body: BANNER }],
    fails: [{ body: { ...BANNER, page: 'cart_page' } }, { body: { ...BANNER, name: undefined } }],
  },
  { operation: `DELETE ${BANNERS}`, succeeds: [{}], fails: [] },
  // Nothing but who asks can be wrong with a count.
  { operation: `GET ${BANNERS}/count`, succeeds: [{}], fails: [] },
  {
    operation: `GET ${BANNERS}/:bannerId`,
    succeeds: [async (shop) => ({ ids: [await aBanner(shop)] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `PUT ${BANNERS}/:bannerId`,
    succeeds: [async (shop) => ({ ids: [await aBanner(shop)], body: { ...BANNER, visible: '0' } })],
    fails: [{ ids: [NOBODY], body: BANNER }, async (shop) => ({ ids: [await aBanner(shop)], body: { name: 'Sale' } })],
  },
  // One that is not there is as good as deleted.
  {
    operation: `DELETE ${BANNERS}/:bannerId`,
    succeeds: [async (shop) => ({ ids: [await aBanner(shop)] })],
    fails: [],
  },
]
