import { findStore } from '../../db/accounts/stores.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { addCounters, Tally } from '../../db/ledger/counters.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { writeSnapshot } from '../../db/runs/snapshots.ts'
import {
  isLeftStock,
  type LeftStock,
  lockStock,
  takeLeftStock,
  takeOverdueStock,
} from '../../db/side-effects/sold-stock.ts'
import { endIfNothingSold, giveBackStock, type StockDeps, stockIssue } from '../side-effects/sold-stock.ts'
import type { SweepDeps } from './retry-deferred-writes.ts'

const atOnce = 20

/** For a host's tick: gives back the stock that ended runs left open, once no run writes to the store (D1, D5). */
export async function giveBackLeft(deps: SweepDeps): Promise<void> {
  const left = await takeLeftStock(deps.database, atOnce)
  await Promise.all(left.map((one) => giveBack(deps, one)))
  if (left.length > 0) await deps.leaveStores(left.map(({ destinationHash }) => destinationHash))
  await reportOverdue(deps)
}

async function giveBack(deps: SweepDeps, left: LeftStock): Promise<void> {
  const { database, log } = deps
  const { organisationId, destinationHash: storeHash, runId } = left
  try {
    const row = await findStore(database, organisationId, storeHash)
    if (!row) throw new Error(`The store ${storeHash} is not connected.`)
    const stock = stockOf(deps, left, deps.openStore(row, { readOnly: false }))
    if (!(await endIfNothingSold(stock))) await giveBackStock(stock)
  } catch (err) {
    log.warn(
      { err, organisationId, store: storeHash, runId },
      'stock that copied orders took is not given back yet; it is tried again in a minute',
    )
  }
}

function stockOf({ database }: SweepDeps, left: LeftStock, store: StockDeps['store']): StockDeps {
  const { organisationId, destinationHash: storeHash, runId } = left
  const confirm = async (tx: InTransaction | SweepDeps['database']) => {
    if (!(await isLeftStock(tx, storeHash))) throw new Error('Another run is handling this.')
  }
  return {
    database,
    store,
    storeHash,
    beforeSend: () => confirm(database),
    record: (entry) =>
      database.transaction().execute(async (tx) => {
        await lockStock(tx, storeHash)
        await confirm(tx)
        const tally = new Tally()
        await entry(tx, tally)
        await addCounters(tx, runId, tally)
        await writeSnapshot(tx, organisationId, runId)
      }),
  }
}

async function reportOverdue({ database, log }: SweepDeps): Promise<void> {
  const overdue = await database.transaction().execute(async (tx) => {
    const found = await takeOverdueStock(tx)
    for (const { organisationId, destinationHash, runId: id, connected } of found) {
      const tally = new Tally()
      const issue = overdueIssue(destinationHash, connected)
      for (const { component } of await saveIssues(tx, { id, organisationId }, [issue]))
        tally.add(component, 'warnings')
      await addCounters(tx, id, tally)
      await writeSnapshot(tx, organisationId, id)
    }
    return found
  })
  for (const { organisationId, destinationHash: store, runId } of overdue)
    log.error(
      { organisationId, store, runId },
      'stock that copied orders took is still not given back at a store; see the issues of the migration',
    )
}

function overdueIssue(storeHash: string, connected: boolean): IssueToWrite {
  const why = connected
    ? 'it has not been possible for 15 minutes; it is tried every minute'
    : 'the store was disconnected; connect it again, or correct its stock in its control panel'
  return stockIssue(storeHash, `Stock that copied orders took is not given back at ${storeHash}: ${why}.`)
}
