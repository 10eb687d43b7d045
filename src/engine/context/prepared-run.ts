import type { PlatformItem } from '../../entities/core/draft.ts'
import type { AddressMove } from '../../model/links/link-targets.ts'
import type { ClientAccounts } from './destination-client.ts'

/** Sites that items of the run belong to. */
export interface RunSites {
  /** Of the storefronts of a storefront run; '' where they have no site. */
  readonly source?: string
  readonly destination?: string
  /** Sites of the destination that have a counterpart. */
  readonly paired: readonly { readonly id: number; readonly channelId: number }[]
}

/** What a run finds out about the two stores before its first phase. Made once, by `prepareRun`. */
export interface PreparedRun {
  readonly channels: Readonly<Record<'source' | 'destination', readonly PlatformItem[]>>
  readonly sites: RunSites
  /** The errors by which a store refused its channels or sites; null where it did not. */
  readonly unread: { readonly channels: unknown; readonly sites: unknown }
  /** What the destination assumes where a call names none. */
  readonly defaults: { readonly channelId: number }
  /** Where the source serves original pictures; null: reduced ones are copied. */
  readonly originals: string | null
  /** How addresses of the source's shop translate into those of the destination's. */
  readonly moves: readonly AddressMove[]
  /** Whether some page already has another path at the destination. */
  readonly anyMoved: boolean
  readonly accounts: ClientAccounts
}
