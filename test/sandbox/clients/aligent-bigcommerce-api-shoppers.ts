/** What `@aligent/bigcommerce-api` is asked to do with shoppers, marketing and shipping, one scenario per run. */
import { all, refusalOf, v2, v3 } from './aligent-store.ts'
import { tell } from './tell.ts'

const person = (n: number) => ({ email: `person-${n}@example.com`, first_name: 'Ada', last_name: `Example ${n}` })
const rules = [{ action: { cart_value: { discount: { fixed_amount: '5' } } } }]

await tell({
  customers: async (count: number) => {
    const people = Array.from({ length: count }, (_none, at) => person(at + 1))
    for (let at = 0; at < count; at += 10) await v3.post('/customers', { body: people.slice(at, at + 10) as never })
    return all(v3.list('/customers', { query: { limit: 10 } }))
  },
  duplicateCustomer: async () => {
    await v3.post('/customers', { body: [person(1)] as never })
    return refusalOf(v3.post('/customers', { body: [person(1)] as never }))
  },
  segments: async (customer_id: number) => {
    const segments: unknown = await v3.post('/segments', { body: [{ name: 'Regulars' }] as never })
    const profiles: unknown = await v3.post('/shopper-profiles', { body: [{ customer_id }] as never })
    const idIn = (rows: unknown) => String((rows as { id: string }[])[0]?.id)
    await v3.post('/segments/{segmentId}/shopper-profiles', {
      path: { segmentId: idIn(segments) },
      body: [idIn(profiles)] as never,
    })
    return v3.get('/customers', { query: { include: ['segment_ids', 'shopper_profile_id'] as never } })
  },
  promotions: async (codes: string[]) => {
    const body = { name: 'Five off', redemption_type: 'COUPON', coupon_type: 'BULK', rules, status: 'DISABLED' }
    const made: unknown = await v3.post('/promotions', { body: body as never })
    const promotion_id = String((made as { id: number }).id)
    for (const code of codes)
      await v3.post('/promotions/{promotion_id}/codes', { path: { promotion_id }, body: { code } as never })
    const changed = await v3.put('/promotions/{id}', {
      path: { id: promotion_id },
      body: { status: 'ENABLED' } as never,
    })
    return {
      changed,
      codes: await v3.get('/promotions/{promotion_id}/codes', { path: { promotion_id } } as never),
      refused: await refusalOf(v3.delete('/promotions/{id}', { path: { id: promotion_id } })),
    }
  },
  groups: async () => {
    await v2.post('/customer_groups', { body: { name: 'Trade' } as never })
    return {
      first: await v2.get('/customer_groups', { query: { name: 'Trade' } as never }),
      behind: await v2.get('/customer_groups', { query: { name: 'Nobody' } as never }),
    }
  },
  shipping: async () => {
    const zone: unknown = await v2.post('/shipping/zones', { body: { name: 'All', type: 'global' } as never })
    const zone_id = (zone as { id: number }).id
    const body = { name: 'Flat', type: 'perorder', settings: { rate: 7 } } as never
    await v2.post('/shipping/zones/{zone_id}/methods', { path: { zone_id }, body })
    return v2.get('/shipping/zones/{zone_id}/methods', { path: { zone_id } })
  },
  subscribers: async (email: string) => {
    await v3.post('/customers/subscribers', { body: { email } as never })
    return {
      all: await v3.get('/customers/subscribers' as never),
      again: await refusalOf(v3.post('/customers/subscribers', { body: { email } as never })),
    }
  },
})
