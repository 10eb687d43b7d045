import { type PageAddress, saveAddresses, withoutLastSlash } from '../../db/addresses/moved-addresses.ts'
import type { InTransaction } from '../../db/core/database.ts'
import type { StorePair } from '../../db/ledger/store-pair.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { ReferenceBook } from './references.ts'

/** Where a page of the source is at the destination; empty if it has no path in one of them. */
export function pageAddress(desired: Draft, destinationPath: string | null): PageAddress[] {
  if (desired.path === null || destinationPath === null) return []
  const { component, id: sourceId, path: sourcePath, storefront = null } = desired
  return [{ component, sourceId, sourcePath, destinationPath, storefront }]
}

/** Records pages that moved, so that links to them can follow. As long as no page has moved, this takes no query. */
export async function saveMovedPages(
  tx: InTransaction,
  { pair, references }: { pair: StorePair; references: ReferenceBook },
  pages: PageAddress[],
): Promise<void> {
  const moved = pages.filter(
    ({ sourcePath, destinationPath }) => withoutLastSlash(sourcePath) !== withoutLastSlash(destinationPath),
  )
  const mayHaveRows = references.noteMoved(moved.length > 0)
  await saveAddresses(tx, pair, mayHaveRows ? pages : [])
}
