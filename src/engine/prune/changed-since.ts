import { saveIssues } from '../../db/ledger/issues.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { calledItem } from '../../entities/item-words.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { bodiesById, existingInSource, idsParameter, readNow } from '../read/by-ids.ts'
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
  const rows = await readNow(context, 'destination', pass, ids, { compares: true })
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
    if (now && now.checksum !== listed.checksum) return 'it was edited there meanwhile'
    // Checksums leave out how often a coupon was used.
    if (now?.byShoppers && !context.run.pruneLive.includes(pass.root)) return 'shoppers have used it by now'
    return never?.has(id) ? 'it has orders now' : null
  }
  const judged = items.map((item) => ({ item, reason: why(item) }))
  for (const { item, reason } of judged) if (reason !== null) await warnKept(context, entity, pass, item, reason)
  return {
    doomed: judged.flatMap(({ item, reason }) => (reason === null ? item : [])),
    kept: judged.flatMap(({ item, reason }) => (reason === null ? [] : item)),
  }
}

async function warnKept(
  context: RunContext,
  entity: Entity,
  { root }: Pass,
  { id, listed }: Candidate,
  reason: string,
): Promise<void> {
  const called = calledItem({ component: root, id, name: listed.item.name }, 'destination')
  await context.recorder.record(async (tx, tally) => {
    tally.add(root, 'warnings')
    await saveIssues(tx, context.run, [
      {
        phase: entity.key,
        component: root,
        severity: 'warning',
        code: 'not_pruned',
        sourceId: `there:${id}`,
        destinationId: id,
        item: listed.item,
        message: `${called} was not deleted, because ${reason}.`,
      },
    ])
  })
}
