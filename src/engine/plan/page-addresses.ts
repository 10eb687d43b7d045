import { type PageAddress, saveAddresses, withoutLastSlash } from '../../db/addresses/moved-addresses.ts'
import type { InTransaction } from '../../db/core/database.ts'
import type { Draft } from '../../entities/core/define.ts'
import type { RunContext } from '../context/context.ts'
import { isPlanned, type PageItem } from './decision.ts'

/** Where a page of the source is at the destination; none if either has no path. */
export function addressThere(desired: Draft, destinationPath: string | null): PageAddress[] {
  if (desired.path === null || destinationPath === null) return []
  return [{ component: desired.component, sourceId: desired.id, sourcePath: desired.path, destinationPath }]
}

/** Records pages that moved, for the links to them. Without any moved page this takes no query. */
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

/** Pages that exist and whose path is not written now. */
export function addressesAsPlanned(planned: PageItem[]): PageAddress[] {
  return planned.flatMap((one) => {
    if (!isPlanned(one) || !one.listed) return []
    const leavesPath = ['matched', 'equal', 'skipped', 'adopt', 'continue', 'assign'].includes(one.decision.kind)
    return leavesPath ? addressThere(one.resolved.draft, one.listed.item.path) : []
  })
}
