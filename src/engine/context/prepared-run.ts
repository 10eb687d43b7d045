import type { PlatformItem } from '../../entities/core/draft.ts'
import type { AddressMove } from '../../model/links/link-targets.ts'
import type { ClientAccounts } from './destination-client.ts'

/** Sites that items of the run belong to. */
export interface RunSites {
  /** Ids of the sites of a storefront run's two storefronts; '' for a storefront without a site. */
  readonly source?: string
  readonly destination?: string
  /** Destination sites with a counterpart in the source. */
  readonly paired: readonly { readonly id: number; readonly channelId: number }[]
}

/** What a run finds out about the two stores before its first phase. Made once, by `prepareRun`. */
export interface PreparedRun {
  readonly channels: Readonly<Record<'source' | 'destination', readonly PlatformItem[]>>
  readonly sites: RunSites
  /** The error with which a store refused its channels or sites; null if it did not. */
  readonly unread: { readonly channels: unknown; readonly sites: unknown }
  /** Values that the destination assumes when a call does not name one. */
  readonly defaults: { readonly channelId: number }
  /** Where the source serves original pictures; null: reduced ones are copied. */
  readonly originals: string | null
  /** How addresses of the source's shop translate into addresses of the destination's. */
  readonly moves: readonly AddressMove[]
  /** Channels of the source's sites, by the ids of these; empty if the source refused its sites. */
  readonly channelOfSite: ReadonlyMap<number, number>
  /** The destination's default currency; undefined if it does not say. */
  readonly defaultCurrency: string | undefined
  /** Codes of currencies in which the destination takes payments; none if the run copies no currencies. */
  readonly paidCurrencies: readonly string[]
  /** Whether any page already has another path at the destination. */
  readonly anyMoved: boolean
  /** Whether the destination may have copies of another store, or of a single storefront. */
  readonly isShared: boolean
  readonly accounts: ClientAccounts
}
