import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { at, type Driver, drive } from './driver.ts'

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
  drive(
    `GET ${BANNERS}`,
    async (shop) => {
      await aBanner(shop)
      return { query: 'min_id=1&limit=10' }
    },
    { query: 'min_id=many' },
  ),
  drive(`POST ${BANNERS}`, { body: BANNER }, [
    { body: { ...BANNER, page: 'cart_page' } },
    { body: { ...BANNER, name: undefined } },
  ]),
  drive(`DELETE ${BANNERS}`),
  // Nothing but who asks can be wrong with a count.
  drive(`GET ${BANNERS}/count`),
  drive(`GET ${BANNERS}/:bannerId`, at(aBanner)),
  drive(`PUT ${BANNERS}/:bannerId`, at(aBanner, { body: { ...BANNER, visible: '0' } }), [
    { ids: [NO_SUCH_ID], body: BANNER },
    at(aBanner, { body: { name: 'Sale' } }),
  ]),
  // One that is not there is as good as deleted.
  drive(`DELETE ${BANNERS}/:bannerId`, at(aBanner), []),
]
