import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { calledItem } from '../../entities/item-words.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { fieldDifferences } from '../core/pairing.ts'
import { notPrunedIssue } from '../plan/plan-issues.ts'
import { recordIssues } from '../plan/record-plan.ts'
import { bodiesById, existingInSource, idsParameter, listedNow } from '../read/by-ids.ts'
import type { ListedBody } from '../read/destination-lister.ts'
import { plainPages } from '../read/pages.ts'
import type { Candidate } from './find-items.ts'
import { matchingInSource } from './matching-in-source.ts'

/**
 * How many items are read again together, right before they are deleted. A list that cannot be filtered by ids is read
 * in full each time.
 */
export function checkedAtOnce(pass: Pass): number {
  return idsParameter(pass) === undefined ? 1000 : 50
}

/**
 * Reads items again in both stores and warns of each that must stay (G4).
 *
 * @param matched items that match one of the source; undefined: the source can be asked by the keys of these
 * @returns which may still be deleted, and which may not
 */
export async function stillDoomed(
  context: RunContext,
  entity: Entity,
  pass: Pass,
  items: Candidate[],
  matched: ReadonlySet<string> | undefined,
): Promise<{ doomed: Candidate[]; kept: Candidate[] }> {
  const ids = items.map(({ id }) => id)
  const rows = await listedNow(context, pass, ids, { compares: true })
  const existing = bodiesById(context, pass, rows, { compares: true })
  const matching = matched ?? (await matchingInSource(context, pass, ids, rows))
  const back = await existingInSource(
    context,
    pass,
    items.flatMap(({ sourceId }) => sourceId ?? []),
  )
  const never = await componentOf(pass.root).remove?.never?.(context.destination, ids, context.lease.stop)
  const why = ({ id, sourceId, listed }: Candidate): string | null => {
    const now = existing.get(id)
    if (sourceId !== null && back.has(sourceId)) return 'the source has it again'
    if (matching.has(id)) return 'the source has a matching item now'
    if (now && isEdited(pass, listed, now)) return 'it was edited there meanwhile'
    if (now?.spared) return 'it is a default of the destination now'
    // Checksums leave out how often a coupon was used.
    if (now?.byShoppers && !context.run.pruneLive.includes(pass.root)) return 'shoppers have used it by now'
    return never?.has(id) ? 'it has orders now' : null
  }
  const below = await itemsBelow(context, pass, ids)
  const going = new Set<string>()
  const judged = items.map((item) => {
    // Items come before those above them.
    const holds = below.get(item.id)?.some((id) => !going.has(id))
    const reason = why(item) ?? (holds ? 'there are others below it that stay' : null)
    if (reason === null) going.add(item.id)
    return { item, reason }
  })
  for (const { item, reason } of judged) if (reason !== null) await warnKept(context, entity, pass, item, reason)
  return {
    doomed: judged.flatMap(({ item, reason }) => (reason === null ? item : [])),
    kept: judged.flatMap(({ item, reason }) => (reason === null ? [] : item)),
  }
}

/** That another item took its role, such as that of the home page, may be our own work, and is no edit. */
function isEdited({ root }: Pass, listed: ListedBody, now: ListedBody): boolean {
  if (now.checksum === listed.checksum) return false
  const { roles = [] } = componentOf(root)
  if (!listed.compare || !now.compare || roles.length === 0) return true
  const changed = fieldDifferences(listed.compare, now.compare)
  return changed.some(({ path }) => !roles.some(({ field }) => field === path))
}

/** The items below these at the destination now, which the platform would delete with them or move (G4). */
async function itemsBelow(
  context: RunContext,
  pass: Pass,
  ids: string[],
): Promise<Map<string | null | undefined, string[]>> {
  const { destination, parentOf, browsed } = pass
  if (!parentOf) return new Map()
  const filter = browsed?.below === undefined ? {} : { [browsed.below]: ids.join(',') }
  const reading = { ...destination, query: { ...destination.query, ...filter } }
  const found: PlatformItem[] = []
  for await (const { items } of plainPages(context, 'destination', reading)) found.push(...items)
  const above = new Map(found.map((item) => [String(item[destination.idField]), parentOf(item)]))
  return Map.groupBy(above.keys(), (id) => above.get(id))
}

async function warnKept(
  context: RunContext,
  entity: Entity,
  { root }: Pass,
  { id, listed }: Candidate,
  reason: string,
): Promise<void> {
  const called = calledItem({ component: root, id, name: listed.item.name }, 'destination')
  const about = { component: root, id, item: listed.item }
  const issue = notPrunedIssue(entity, about, `${called} was not deleted, because ${reason}.`)
  await context.recorder.record((tx, tally) => recordIssues(tx, tally, context, [issue]))
}
