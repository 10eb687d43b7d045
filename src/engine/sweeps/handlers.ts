import type { StoreClient } from '../../bigcommerce/client.ts'
import { PlatformError } from '../../bigcommerce/errors.ts'
import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { DueSideEffect, OverdueSideEffect, SideEffect } from '../../db/side-effects/side-effects.ts'
import { callOfDeferredWrite, endDeferredWrite, leftOff, whatIsMissing } from '../finish/deferred-writes.ts'
import { mutedMailsIssue, restoreMails } from '../side-effects/mail-settings.ts'
import { endIfNothingSold, giveBackStock, type StockDeps } from '../side-effects/sold-stock.ts'
import { unreturnedStockIssue } from '../side-effects/stock-issues.ts'

/** A shop, and how to write to it and record the outcome while no run is responsible for it. */
export interface AtShop extends StockDeps {
  store: Pick<StoreClient, 'get' | 'write'>
  signal: AbortSignal
}

interface Handler {
  /** All rows of this kind at a shop are ended together. */
  ofShop: boolean
  /** @throws when it has to be tried again */
  end(shop: AtShop, effect: DueSideEffect): Promise<void>
  /** The issue about effects that are handled together. */
  issue(first: OverdueSideEffect, all: OverdueSideEffect[]): IssueToWrite
}

const mail: Handler = {
  ofShop: true,
  end: (shop) => restoreMails(shop),
  issue: ({ storeHash, connected }, all) =>
    mutedMailsIssue(
      storeHash,
      all.map(({ subject }) => subject).sort(),
      connected
        ? 'the setting could not be changed for 15 minutes; it is retried every minute'
        : 'the store was disconnected; connect it again, or switch them on in its control panel',
    ),
}

const stock: Handler = {
  ofShop: true,
  async end(shop) {
    if (!(await endIfNothingSold(shop))) await giveBackStock(shop)
  },
  issue: ({ storeHash, connected }) =>
    unreturnedStockIssue(
      storeHash,
      connected
        ? 'it has not been possible for 15 minutes; it is tried every minute'
        : 'the store was disconnected; connect it again, or correct its stock in its control panel',
    ),
}

const deferredWrite: Handler = {
  ofShop: false,
  /** The write names an id and absolute values, so without an answer it is simply sent again. */
  async end({ store, signal, beforeSend, record }, effect) {
    const { organisationId, runId: id, component, subject, destinationId } = effect
    const { call } = callOfDeferredWrite(effect, destinationId ?? '')
    if (!call) throw new Error(`No update call is defined for ${component} ${subject}.`)
    try {
      await store.write({ ...call, signal, beforeSend })
    } catch (error) {
      // The copy was deleted, so there is nothing left to do.
      if (!(error instanceof PlatformError && error.httpStatus === 404)) throw error
    }
    await record((tx) => endDeferredWrite(tx, { id, organisationId }, effect))
  },
  issue: (effect) => leftOff(effect, effect.destinationId ?? '', whyLeftOff(effect)),
}

function whyLeftOff({ due, owed: pending, connected }: OverdueSideEffect): string {
  if (!connected) return 'its store was disconnected'
  if (pending !== null && pending.length > 0) return whatIsMissing(pending)
  if (due) return 'it could not be switched on for 15 minutes; it is retried every minute'
  return 'the migration ended before all else was copied'
}

/** How hosts end what runs left at a shop, in the order in which they do it. */
export const handlers: Record<SideEffect['kind'], Handler> = { mail, stock, 'deferred-write': deferredWrite }
