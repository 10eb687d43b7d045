import {
  renamedCopyRemedy,
  sourceGoneByHandRemedy,
  sourceGoneOnRequestRemedy,
  sourceGoneOrUsedRemedy,
  sourceGoneRemedy,
} from '../../contract/issue-codes.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { MissingReference } from '../../entities/core/references.ts'
import { componentOf, entityOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { idsPerLookUp, readNow } from '../read/by-ids.ts'
import { isPlanned, type PageItem } from './decision.ts'
import type { PagePlan } from './page-facts.ts'

/** An item with these keys, which the copy of another source item has. */
interface Collision {
  keys: string[]
  claimedBy: string | undefined
}

/**
 * The items of a page, with what to do about those that collide with a copy. If the run itself gives that copy another name and
 * then tries them again, a dry run creates them (F2).
 */
export async function withRemedies({ context, pass, strategy }: PagePlan, planned: PageItem[]): Promise<PageItem[]> {
  const { heal, mode } = context.run
  const isTriedAgain = mode === 'dry-run' && heal.auto && strategy !== 'skip'
  const collisions = planned.map((one): Collision | undefined =>
    isPlanned(one) && one.decision.kind === 'fail'
      ? { keys: one.resolved.draft.keys, claimedBy: one.decision.claimedBy }
      : undefined,
  )
  const remedies = await remediesOf(context, pass, collisions)
  return planned.map((one, at) => {
    const remedy = remedies[at]
    if (remedy === undefined || !isPlanned(one) || one.decision.kind !== 'fail') return one
    if (isTriedAgain && remedy === renamedCopyRemedy)
      return { ...one, decision: { kind: 'create', destinationDeleted: false } }
    return { ...one, decision: { ...one.decision, remedy } }
  })
}

/**
 * What to do about a copy with the key of another source item, if its own source item has another key by now or is gone.
 * Undefined if both source items have the key, or if the source cannot be asked for an item.
 */
export async function remediesOf(
  context: RunContext,
  pass: Pass,
  collisions: readonly (Collision | undefined)[],
): Promise<(string | undefined)[]> {
  const ids = [...new Set(collisions.flatMap((one) => one?.claimedBy ?? []))]
  if (ids.length === 0 || idsPerLookUp(pass) === null) return collisions.map(() => undefined)
  const items = await readNow(context, 'source', pass, ids)
  const resolved = await context.references.resolve(pass, items)
  const others = new Map(items.map((item, at) => [String(item[pass.source.idField]), resolved[at]]))
  return collisions.map((one) => {
    if (one?.claimedBy === undefined) return undefined
    const other = others.get(one.claimedBy)
    if (!other) return goneRemedy(pass)
    if (other instanceof MissingReference) return undefined
    return other.draft.keys.some((key) => one.keys.includes(key)) ? undefined : renamedCopyRemedy
  })
}

/** How a copy is deleted whose source item is gone. */
function goneRemedy({ root }: Pass): string {
  const { remove, madeByShoppers } = componentOf(root)
  if (!remove || entityOf(root)?.prune !== 'allowed') return sourceGoneByHandRemedy
  if (madeByShoppers === true) return sourceGoneOnRequestRemedy
  return madeByShoppers ? sourceGoneOrUsedRemedy : sourceGoneRemedy
}
