import { NO_SUCH_ID, type Shop } from './contract-shop.ts'
import { type Driver, drive, type Exchange } from './driver.ts'

const HOOKS = '/v3/hooks'
const HOOK = {
  scope: 'store/product/created',
  destination: 'https://localhost:9/hook',
  is_active: true,
  headers: { 'X-Secret': 'sesame' },
}

/** With something to list. */
async function afterOne(shop: Shop): Promise<Exchange> {
  await aHook(shop)
  return {}
}

async function aHook({ made }: Shop): Promise<{ ids: number[] }> {
  return { ids: [(await made('POST', HOOKS, HOOK)).id] }
}

export const webhookDrivers: Driver[] = [
  drive(`GET ${HOOKS}`, [afterOne, async (shop) => ({ ...(await afterOne(shop)), query: 'is_active=true' })]),
  drive(
    `POST ${HOOKS}`,
    [{ body: HOOK }, { body: { ...HOOK, headers: null } }],
    [{ body: [] }, { body: { scope: HOOK.scope } }],
  ),
  drive(`GET ${HOOKS}/:hookId`, aHook),
  drive(`PUT ${HOOKS}/:hookId`, async (shop) => ({ ...(await aHook(shop)), body: { ...HOOK, is_active: false } }), [
    { ids: [NO_SUCH_ID], body: HOOK },
    async (shop) => ({ ...(await aHook(shop)), body: {} }),
  ]),
  drive(`DELETE ${HOOKS}/:hookId`, aHook),
  drive(`GET ${HOOKS}/admin`, afterOne),
  drive(`PUT ${HOOKS}/admin`, { body: { emails: ['ops@shop.example'] } }, [
    { body: [] },
    { body: { emails: ['no address'] } },
  ]),
]
