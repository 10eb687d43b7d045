import { z } from 'zod'
import { historyEntry } from '../../contract/history.ts'
import { moment } from '../../contract/primitives/moment.ts'
import { migrationStatuses } from '../../contract/status.ts'
import type { Database } from '../../db/core/database.ts'
import { findRuns } from '../../db/reports/run-history.ts'
import { activeRuns, countByStatus, latestByPair } from '../../db/reports/run-summaries.ts'
import { defineOperation } from '../shared/operation.ts'
import { entriesOf } from '../shared/runs/history-entries.ts'

const runsShown = 20

export const summariseMigrations = defineOperation({
  name: 'summarise-migrations',
  summary:
    'The organisation at a glance: runs by status, active runs, open failures, the last run of each pair of stores.',
  input: z.strictObject({ since: moment.optional() }),
  output: z.strictObject({
    byStatus: z.array(z.strictObject({ status: z.enum(migrationStatuses), runs: z.int() })),
    openFailures: z.int(),
    active: z.array(historyEntry),
    lastOfEachPair: z.array(historyEntry),
  }),
  async run({ since = null }, { organisationId }, { database }) {
    const counted = await countByStatus(database, organisationId, since)
    const active = await activeRuns(database, organisationId, runsShown)
    const latest = await latestByPair(database, organisationId, { since, limit: runsShown })
    return {
      byStatus: counted.map(({ status, runs }) => ({ status, runs })),
      openFailures: counted.reduce((sum, { openFailures }) => sum + openFailures, 0),
      active: await entries(database, organisationId, active),
      lastOfEachPair: await entries(database, organisationId, latest),
    }
  },
})

async function entries(database: Database, organisationId: string, ids: string[]) {
  return entriesOf(database, await findRuns(database, organisationId, ids))
}
