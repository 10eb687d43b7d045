import type { DifferenceToWrite } from '../../db/ledger/differences.ts'
import type { RunContext } from '../context/context.ts'
import { mayHaveOthers, sharedCopies } from '../scope/shared-copies.ts'

/** Marks as kept what is extra because another source, or another storefront, has been copied there (G3). */
export async function keepShared(context: RunContext, differences: DifferenceToWrite[]): Promise<DifferenceToWrite[]> {
  if (!mayHaveOthers(context)) return differences
  const extras = Map.groupBy(
    differences.filter(({ kind, kept }) => kind === 'extra' && !kept),
    ({ component }) => component,
  )
  const shared = new Map<string, Set<string>>()
  for (const [component, some] of extras) {
    const ids = some.map(({ destinationId }) => destinationId)
    shared.set(component, await sharedCopies(context, component, ids))
  }
  return differences.map((one) => {
    const isShared = one.kind === 'extra' && shared.get(one.component)?.has(one.destinationId)
    return isShared ? { ...one, kept: true } : one
  })
}
