import type { StoreInformation } from '../../bigcommerce/store-information.ts'
import { findMovedState } from '../../db/addresses/moved-addresses.ts'
import { isSharedDestination } from '../../db/ledger/other-sources.ts'
import { currencies } from '../../entities/pricing/currencies.ts'
import type { OpenRun } from '../context/open-run.ts'
import type { PreparedRun } from '../context/prepared-run.ts'
import { movesOf } from '../finish/shop-moves.ts'
import { noFindings, reportFindings } from '../preflight/findings.ts'
import { paidCurrenciesOf } from '../preflight/shop-facts.ts'
import { pairChannels } from '../scope/pair-channels.ts'
import { readSites } from '../scope/read-sites.ts'

/** Pairs the channels and sites of the two stores, and reports what cannot be copied from the source. */
export async function prepareRun(
  open: OpenRun,
  stores: Record<'source' | 'destination', StoreInformation>,
): Promise<PreparedRun> {
  const platformSites = await readSites(open)
  const { channels, defaults, sites, unpaired, paired, unread } = await pairChannels(open, stores, platformSites)
  const { any: anyMoved } = await findMovedState(open.database, open.pair)
  const paid = open.run.phases.includes(currencies.key) ? await paidCurrenciesOf(open, 'destination') : undefined
  // A verify writes nothing, so there is nothing to warn about beforehand.
  const found =
    open.run.mode === 'verify'
      ? noFindings
      : await reportFindings(open, stores, { all: channels.source, unpaired }, paid)
  return Object.freeze({
    channels,
    sites,
    defaults,
    unread,
    moves: movesOf(stores, platformSites, paired),
    channelOfSite: new Map(platformSites.source?.map(({ id, channel_id }) => [id, channel_id])),
    defaultCurrency: stores.destination.currency,
    paidCurrencies: paid ?? [],
    anyMoved,
    isShared: await isSharedDestination(open.database, open.pair),
    originals: found.originals,
    accounts: found.accounts,
  })
}
