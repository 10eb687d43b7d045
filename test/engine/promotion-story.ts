import { expect } from 'vitest'
import type { World } from '../harness/world.ts'

/** Leaves the source one promotion, which is enabled and names nothing that would have to be copied with it. */
export async function theOnlyPromotion(world: World): Promise<void> {
  const { promotions = [], promotion_codes = [] } = await world.state('source')
  const kept = promotions.findLast(({ status }) => status === 'ENABLED')
  if (!kept) throw new Error('The source has no promotion that is enabled.')
  for (const { id } of promotion_codes) await world.change('source', { op: 'remove', table: 'promotion_codes', id })
  for (const { id } of promotions)
    if (id !== kept.id) await world.change('source', { op: 'remove', table: 'promotions', id })
  const discount = { cart_value: { discount: { fixed_amount: '5' } } }
  const rules = [{ action: discount, apply_once: true, stop: false }]
  await world.change('source', { op: 'set', table: 'promotions', id: kept.id, fields: { rules } })
}

/** A run that could not enable the promotion it copied, because the platform refused once. */
export async function runThatLeavesItDisabled(world: World): Promise<string> {
  const refusing = { kind: 'error_before_applying', method: 'PUT', path: '^/v3/promotions/\\d+$', status: 422 } as const
  const fault = await world.fault('destination', { ...refusing, times: 1 })
  const { requestId } = await world.complete()
  expect((await world.faults('destination')).find(({ id }) => id === fault)?.hits).toBe(1)
  return requestId
}
