import { z } from 'zod'
import { storeList } from '../../contract/stores.ts'
import { listStores as listStoreRows, type StoreRow } from '../../db/accounts/stores.ts'
import { defineOperation } from '../shared/operation.ts'

export const listStores = defineOperation({
  name: 'list-stores',
  summary: 'The stores connected to the organisation, and how the last look at each ended.',
  input: z.strictObject({}),
  output: storeList,
  async run(_, { organisationId }, { database }) {
    const stores = await listStoreRows(database, organisationId)
    return {
      items: stores.map((one) => ({ hash: one.hash, label: one.label, platform: one.platform, access: accessOf(one) })),
    }
  },
})

function accessOf({ accessState: state, accessCheckedAt: at, accessLatencyMs: latencyMs }: StoreRow) {
  return state === null || at === null ? null : { state, checkedAt: at.toISOString(), latencyMs }
}
