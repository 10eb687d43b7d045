import { NOBODY, type Shop } from './contract-shop.ts'
import type { Driver, Exchange } from './driver.ts'

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
  {
    operation: `GET ${HOOKS}`,
    succeeds: [afterOne, async (shop) => ({ ...(await afterOne(shop)), query: 'is_active=true' })],
    fails: [],
  },
  {
    operation: `POST ${HOOKS}`,
    succeeds: [{ body: HOOK }, { body: { ...HOOK, headers: null } }],
    fails: [{ body: [] }, { body: { scope: HOOK.scope } }],
  },
  { operation: `GET ${HOOKS}/:hookId`, succeeds: [aHook], fails: [{ ids: [NOBODY] }] },
  {
    operation: `PUT ${HOOKS}/:hookId`,
    succeeds: [async (shop) => ({ ...(await aHook(shop)), body: { ...HOOK, is_active: false } })],
    fails: [{ ids: [NOBODY], body: HOOK }, async (shop) => ({ ...(await aHook(shop)), body: {} })],
  },
  { operation: `DELETE ${HOOKS}/:hookId`, succeeds: [aHook], fails: [{ ids: [NOBODY] }] },
  { operation: `GET ${HOOKS}/admin`, succeeds: [afterOne], fails: [] },
  {
    operation: `PUT ${HOOKS}/admin`,
    succeeds: [{ body: { emails: ['ops@shop.example'] } }],
    fails: [{ body: [] }, { body: { emails: ['no address'] } }],
  },
]
