import { findStore } from '../../db/accounts/stores.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { addCounters, Tally } from '../../db/ledger/counters.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { writeSnapshot } from '../../db/runs/snapshots.ts'
import {
  isLeftMuted,
  type LeftMuted,
  type OverdueMuted,
  takeLeftMuted,
  takeOverdueMuted,
} from '../../db/side-effects/muted-settings.ts'
import { mutedMailsIssue, restoreMails } from '../side-effects/mail-settings.ts'
import type { SweepDeps } from './retry-deferred-writes.ts'

const atOnce = 20

/** For a host's tick: switches mails on again that ended runs left off, once no run writes to the store (D5). */
export async function unmuteLeft(deps: SweepDeps): Promise<void> {
  const left = await takeLeftMuted(deps.database, atOnce)
  await Promise.all(left.map((one) => unmute(deps, one)))
  if (left.length > 0) await deps.leaveStores(left.map(({ destinationHash }) => destinationHash))
  await reportOverdue(deps)
}

async function unmute({ database, openStore, log }: SweepDeps, left: LeftMuted): Promise<void> {
  const { organisationId, destinationHash: storeHash } = left
  try {
    const row = await findStore(database, organisationId, storeHash)
    if (!row) throw new Error(`The store ${storeHash} is not connected.`)
    const store = openStore(row, { readOnly: false })
    await restoreMails({ database, store, storeHash }, () => isLeftMuted(database, storeHash))
  } catch (err) {
    const about = { err, organisationId, store: storeHash, runId: left.runId }
    log.warn(about, 'mails about orders are still switched off at a store; it is tried again in a minute')
  }
}

async function reportOverdue({ database, log }: SweepDeps): Promise<void> {
  const overdue = await database.transaction().execute(async (tx) => {
    const found = await takeOverdueMuted(tx)
    for (const one of found) await save(tx, one)
    return found
  })
  for (const { organisationId, destinationHash: store, runId } of overdue)
    log.error(
      { organisationId, store, runId },
      'mails about orders are still off at a store that no run copies to; see the issues of the migration',
    )
}

async function save(tx: InTransaction, one: OverdueMuted): Promise<void> {
  const { organisationId, destinationHash, runId: id, settings, connected } = one
  const why = connected
    ? 'the setting could not be changed for 15 minutes; it is retried every minute'
    : 'the store was disconnected; connect it again, or switch them on in its control panel'
  const mutedIssue = mutedMailsIssue(destinationHash)
  const issue: IssueToWrite = {
    ...mutedIssue,
    phase: mutedIssue.component,
    severity: 'warning',
    message: `Mails about orders are still switched off at ${destinationHash} (${settings.join(', ')}): ${why}.`,
    item: { name: null, sku: null, path: null },
  }
  const tally = new Tally()
  for (const saved of await saveIssues(tx, { id, organisationId }, [issue])) tally.add(saved.component, 'warnings')
  await addCounters(tx, id, tally)
  await writeSnapshot(tx, organisationId, id)
}
