import { z } from 'zod'
import { storeList } from '../../contract/stores.ts'
import { listStores as listStoreRows } from '../../db/accounts/stores.ts'
import { describeConnected } from '../shared/connected-store.ts'
import { defineOperation } from '../shared/operation.ts'

export const listStores = defineOperation({
  name: 'list-stores',
  summary: 'The stores connected to the organisation, and how the last look at each ended.',
  input: z.strictObject({}),
  output: storeList,
  async run(_, { organisationId }, { database }) {
    const stores = await listStoreRows(database, organisationId)
    return { items: stores.map(describeConnected) }
  },
})
