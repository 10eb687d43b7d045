import { type PageAddress, saveAddresses, withoutLastSlash } from '../../db/addresses/moved-addresses.ts'
import type { InTransaction } from '../../db/core/database.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { RunContext } from '../context/context.ts'
import type { PlannedItem, Unwritable } from './decision.ts'

/** Where a page of the source is at the destination; none where either has no path. */
export function addressThere(desired: Draft, destinationPath: string | null): PageAddress[] {
  if (desired.path === null || destinationPath === null) return []
  return [{ component: desired.component, sourceId: desired.id, sourcePath: desired.path, destinationPath }]
}

/** Keeps where pages are that moved, so that links to them follow. What never moved costs no query. */
export async function noteAddresses(
  tx: InTransaction,
  { pair, references }: RunContext,
  pages: PageAddress[],
): Promise<void> {
  const moved = pages.filter(
    ({ sourcePath, destinationPath }) => withoutLastSlash(sourcePath) !== withoutLastSlash(destinationPath),
  )
  const mayHaveRows = references.noteMoved(moved.length > 0)
  await saveAddresses(tx, pair, mayHaveRows ? pages : [])
}

/** Those that stand there already and whose path is not written now. */
export function addressesAsPlanned(planned: (PlannedItem | Unwritable)[]): PageAddress[] {
  return planned.flatMap((one) => {
    if (!('resolved' in one) || !one.listed) return []
    const leavesPath = ['matched', 'equal', 'skipped', 'adopt', 'continue', 'place'].includes(one.decision.kind)
    return leavesPath ? addressThere(one.resolved.draft, one.listed.item.path) : []
  })
}
