import { setExpected } from '../../db/ledger/counters.ts'
import { enterPhase, finishPhase } from '../../db/runs/run-life.ts'
import { countScope } from '../../db/runs/scope-items.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { channelsAt } from '../../entities/core/storefront-channels.ts'
import { entities, passOf } from '../../entities/registry.ts'
import type { OpenRun } from '../context/open-run.ts'
import { refusalOf } from '../preflight/enter-stores.ts'
import { walksLists } from '../preflight/opening-calls.ts'
import { unlessRefused } from '../read/refused-list.ts'
import { lengthOf } from '../read/store-totals.ts'
import { isPartialRun } from '../scope/partial-run.ts'
import { readsPicks } from '../scope/picked-scope.ts'
import { partOfList } from '../scope/storefront-scope.ts'

interface Counting extends OpenRun {
  /** Channels of the source; undefined where no list needs them. */
  channels: readonly PlatformItem[] | undefined
}

/**
 * Counts the source and nothing else (F2): one call for each list that has a count, and one for the variants. Children
 * of single items, and lists without a count, stay 0.
 */
export async function countSource(open: OpenRun): Promise<void> {
  const counting = { ...open, channels: await channelsOf(open) }
  for (const entity of entities) if (open.run.phases.includes(entity.key)) await countPhase(counting, entity)
}

/** If the source refuses its channels, each list that needs them requests them again and is refused on its own. */
async function channelsOf(open: OpenRun): Promise<readonly PlatformItem[] | undefined> {
  if (!walksLists(open.run.phases)) return undefined
  try {
    return await channelsAt(open.source, { signal: open.lease.stop })
  } catch (error) {
    if (await refusalOf(open, error)) return undefined
    throw error
  }
}

async function countPhase(context: Counting, entity: Entity): Promise<void> {
  const startedMs = context.clock.monotonicMs()
  await context.recorder.record((tx) => enterPhase(tx, context.run.id, entity.key))
  const totals: [string, number | undefined][] = []
  const count = (pass: Pass, work: () => Promise<[string, number | undefined]>) =>
    unlessRefused(context, { entity, pass }, async () => {
      totals.push(await work())
    })
  await Promise.all(entity.passes.filter(countsByList).map((pass) => count(pass, () => countPass(context, pass))))
  const [first] = entity.passes
  if (first && !isPartialRun(context))
    for (const { key, countAll } of entity.components)
      if (countAll) await count(first, async () => [key, await countAll(context.source, context.lease.stop)])
  const workedSeconds = (context.clock.monotonicMs() - startedMs) / 1000
  await context.recorder.record(async (tx) => {
    for (const [component, total] of totals)
      if (total !== undefined) await setExpected(tx, context.run.id, component, total)
    await finishPhase(tx, context.run.id, entity.key, workedSeconds)
  })
}

/** A pass that leaves items out is shorter than the list it reads. */
function countsByList({ holds }: Pass): boolean {
  return holds === undefined
}

async function countPass(context: Counting, pass: Pass): Promise<[string, number | undefined]> {
  const { root } = pass
  if (readsPicks(context, pass)) return [root, (await countScope(context.database, context.run.id))[root] ?? 0]
  // No list counts the children of only some items.
  if (isPartialRun(context) && pass.below !== undefined) return [root, undefined]
  if (pass.below !== undefined && (await isPartlyRequested(context, pass.below))) return [root, undefined]
  if (pass.countRequested && !isPartialRun(context))
    return [root, await pass.countRequested(context.source, context.run, { signal: context.lease.stop })]
  const source = await partOfList(context, 'source', pass, pass.source)
  if (!source) return [root, 0]
  const { channels, lease } = context
  return [root, await lengthOf(context.source, source, { signal: lease.stop, channels })]
}

/** Whether the run requests only some of the items, so that no count says how many children those have. */
async function isPartlyRequested({ source, run, lease }: Counting, component: string): Promise<boolean> {
  const owner = passOf(component)
  if (!owner?.isRequested || !owner.countRequested || !owner.source.length) return false
  const page = { signal: lease.stop }
  const [requested, all] = await Promise.all([
    owner.countRequested(source, run, page),
    owner.source.length(source, owner.source.query ?? {}, page),
  ])
  return requested < all
}
