import { z } from 'zod'
import { storefrontList, storeHash } from '../../contract/stores.ts'
import { requireStore } from '../shared/connected-store.ts'
import { defineOperation } from '../shared/operation.ts'

export const listStorefronts = defineOperation({
  name: 'list-storefronts',
  summary: 'The storefronts of a connected store, at most 30 seconds old.',
  input: z.strictObject({ hash: storeHash }),
  output: storefrontList,
  async run({ hash }, { organisationId }, { database, storefronts }) {
    return { items: await storefronts.list(await requireStore(database, organisationId, hash)) }
  },
})
