import { themeArchive, themeForm } from '../../../../theme-archives.ts'
import type { Shop } from '../contract-shop.ts'
import { at, type Driver, drive } from '../driver.ts'

const THEMES = '/v3/themes'
const THEME = `${THEMES}/:uuid`
const NONE = '00000000-0000-4000-8000-000000000000'

interface Theme {
  uuid: string
  variations: { uuid: string }[]
}

const theFirst = async ({ first }: Shop) => (await first(THEMES)) as unknown as Theme
const uploadNow = ({ call }: Shop) => call({ method: 'POST', path: THEMES, body: themeForm(themeArchive()) })

/** One that no storefront shows. */
async function another(shop: Shop): Promise<string> {
  const { job_id } = (await uploadNow(shop)).body as { job_id: string }
  const { result } = await doneJob(shop, job_id)
  return result.theme_id ?? ''
}

async function doneJob(shop: Shop, id: string): Promise<{ result: { theme_id?: string } }> {
  const deadline = Date.now() + 10_000
  while (Date.now() < deadline) {
    const job = (await shop.made('GET', `${THEMES}/jobs/${id}`)) as unknown as { status: string; result: object }
    if (job.status === 'COMPLETED') return job
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('The job of a theme does not end.')
}

export const themeDrivers: Driver[] = [
  drive(`GET ${THEMES}`),
  drive(
    `POST ${THEMES}`,
    () => ({ body: themeForm(themeArchive()) }),
    () => ({ body: new FormData() }),
  ),
  drive(`GET ${THEME}`, async (shop) => ({ ids: [(await theFirst(shop)).uuid] }), { ids: [NONE] }),
  drive(`DELETE ${THEME}`, at(another), [{ ids: [NONE] }, async (shop) => ({ ids: [(await theFirst(shop)).uuid] })]),
  drive(
    `POST ${THEME}/actions/download`,
    async (shop) => ({ ids: [(await theFirst(shop)).uuid], body: { which: 'original' } }),
    { ids: [NONE], body: {} },
  ),
  drive(
    `POST ${THEMES}/actions/activate`,
    async (shop) => ({
      query: 'channel_id=1',
      body: { variation_id: (await theFirst(shop)).variations[1]?.uuid, which: 'original' },
    }),
    [{ body: {} }, { body: { variation_id: NONE } }, { query: 'channel_id=99', body: { variation_id: NONE } }],
  ),
  drive(
    `GET ${THEMES}/jobs/:jobId`,
    [
      async (shop) => ({ ids: [((await uploadNow(shop)).body as { job_id: string }).job_id] }),
      async (shop) => {
        const { job_id } = (await uploadNow(shop)).body as { job_id: string }
        await doneJob(shop, job_id)
        return { ids: [job_id] }
      },
    ],
    { ids: ['none'] },
  ),
  drive(
    `GET ${THEME}/configurations`,
    [
      async (shop) => ({ ids: [(await theFirst(shop)).uuid], query: 'channel_id:in=1' }),
      async (shop) => {
        const { uuid, variations } = await theFirst(shop)
        return { ids: [uuid], query: `variation_uuid=${variations[0]?.uuid}` }
      },
    ],
    [async (shop) => ({ ids: [(await theFirst(shop)).uuid] }), { ids: [NONE], query: 'channel_id:in=1' }],
  ),
]
