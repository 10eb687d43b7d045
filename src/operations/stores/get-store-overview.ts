import { z } from 'zod'
import { historyEntry } from '../../contract/history.ts'
import { storeHash } from '../../contract/stores.ts'
import { listRuns } from '../../db/reports/run-history.ts'
import { lastSizeSeen, listUsedStores } from '../../db/reports/run-summaries.ts'
import { notConnected } from '../shared/connected-store.ts'
import { defineOperation } from '../shared/operation.ts'
import { entriesOf } from '../shared/runs/history-entries.ts'
import { describeStore, storeWithUse } from './browse-stores.ts'

const runsShown = 5

export const getStoreOverview = defineOperation({
  name: 'get-store-overview',
  summary: 'One connected store from our own records: last known size and latest runs.',
  input: z.strictObject({ hash: storeHash }),
  output: z.strictObject({
    store: storeWithUse,
    lastSeen: z
      .strictObject({ at: z.string(), products: z.int(), variants: z.int(), brands: z.int(), categories: z.int() })
      .nullable(),
    recentRuns: z.array(historyEntry),
  }),
  async run({ hash }, { organisationId }, { database }) {
    const store = (await listUsedStores(database, organisationId)).find((one) => one.hash === hash)
    if (!store) throw notConnected()
    const seen = await lastSizeSeen(database, organisationId, store.id)
    const runs = await listRuns(
      database,
      organisationId,
      { store: hash },
      { after: null, limit: runsShown, sort: 'created' },
    )
    return {
      store: describeStore(store),
      lastSeen: seen ?? null,
      recentRuns: await entriesOf(database, runs),
    }
  },
})
