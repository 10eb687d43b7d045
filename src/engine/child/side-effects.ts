import type { StoreClient } from '../../bigcommerce/client.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/core/database.ts'
import { LeaseLost, stillHolds } from '../../db/ledger/leases.ts'
import { endSettling, noteSettling } from '../../db/runs/run-life.ts'
import { withShopLock } from '../../db/side-effects/shop-lock.ts'
import { hasStockToGiveBack, saveSold } from '../../db/side-effects/sold-stock.ts'
import type { EngineLog } from '../core/engine-log.ts'
import type { StartMessage } from '../core/messages.ts'
import type { Recorder } from '../core/recorder.ts'
import type { RunLease } from '../core/run-lease.ts'
import { Hold, type MailHold, type StockHold } from '../side-effects/hold.ts'
import { muteMails, restoreMails } from '../side-effects/mail-settings.ts'
import {
  afterHosts,
  endIfNothingSold,
  endStockWatch,
  giveBackStock,
  rememberStock,
  type StockDeps,
  settledLevels,
  stockWatch,
  untilShown,
} from '../side-effects/sold-stock.ts'

export interface SideEffectDeps {
  database: Database
  destination: StoreClient
  log: EngineLog
  lease: RunLease
  recorder: Recorder
  clock: Clock
}

const idle = async () => undefined

/** Mutes order emails in a run that writes. If they cannot be restored now, hosts retry every minute (D5). */
export function mailsOf(
  { run, pair, destination: { hash: storeHash } }: StartMessage,
  { database, destination: store, log, lease, clock }: SideEffectDeps,
): MailHold {
  if (run.mode !== 'full') return { hold: idle, release: idle }
  const beforeSend = () => lease.confirm()
  const warn = (err: unknown) =>
    log.warn({ err, runId: run.id }, 'mails about orders are still switched off; hosts try to switch them on again')
  // Unlike `lease.confirm`, this passes after a pause or cancel was requested: mails are restored even then.
  const isHolder = async () => {
    if (!(await stillHolds(database, run))) throw new LeaseLost(run.id)
  }
  const restore = () =>
    withShopLock(database, storeHash, () => restoreMails({ database, store, storeHash, beforeSend: isHolder }))
  const mails = new Hold({
    change: () => muteMails({ database, store, storeHash, clock, beforeSend }, pair, run.id, lease.stop),
    putBack: () => restore().catch(warn),
  })
  return { hold: run.muteMails ? () => mails.begin() : idle, release: () => mails.release() }
}

/**
 * Gives back the stock that copied orders take, in a run that writes. If it cannot be given back now, hosts retry every
 * minute (D5).
 */
export function stockOf(
  { run, pair, destination: { hash: storeHash }, settleMs }: StartMessage,
  { database, destination: store, log, lease, recorder, clock }: SideEffectDeps,
): StockHold {
  if (run.mode !== 'full') return { hold: idle, release: idle }
  const record: Recorder['record'] = (entry) => recorder.record(entry)
  const deps: StockDeps = { database, store, storeHash, record, beforeSend: () => lease.confirm() }
  let begun = false
  const giveBack = async () => {
    await afterHosts(deps)
    if (!(await stockWatch(deps))) return
    const noteWait = (leftMs: number) => noteSettling(database, run.id, leftMs)
    // Nothing is left of a watch that another process began, so that one may have given it back a moment ago.
    if (!begun && !(await hasStockToGiveBack(database, storeHash))) {
      await noteWait(settleMs)
      await clock.sleep(settleMs, lease.stop)
    }
    if (await endIfNothingSold(deps)) return
    // The platform's stock lists lag behind its writes.
    const waiting = { settleMs, clock, signal: lease.stop, noteWait }
    await noteWait(settleMs)
    const shown = await settledLevels(deps, waiting)
    await endSettling(database, run.id)
    await untilShown(deps, pair, await giveBackStock(deps, { shown, keepsWatch: true }), waiting)
    await endSettling(database, run.id)
    // A run that is paused before has to wait again.
    await endStockWatch(deps)
  }
  const warn = (err: unknown) =>
    log.warn({ err, runId: run.id }, 'stock that copied orders took is not given back yet; hosts try to')
  const stock = new Hold({
    change: () => {
      begun = true
      return rememberStock(deps, pair, run.id, lease.stop)
    },
    putBack: () => giveBack().catch(warn),
  })
  return {
    async hold(orders) {
      const selling = orders.filter(({ lines }) => lines.length > 0)
      if (selling.length > 0 && (await stock.begin())) await saveSold(database, pair, storeHash, selling)
    },
    release: () => stock.release(),
  }
}
