import { setExpected } from '../../db/ledger/counters.ts'
import { enterPhase, finishPhase } from '../../db/runs/run-life.ts'
import { countScope } from '../../db/runs/scope-items.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { channelsAt } from '../../entities/core/storefront-channels.ts'
import { entities } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { walksLists } from '../preflight/opening-calls.ts'
import { lengthOf } from '../read/store-totals.ts'
import { isPartialRun, partOfList, readsPicks } from '../scope/run-part.ts'

/**
 * Counts the source and nothing else (F2): one call per list that tells how long it is, and one for the variants. What hangs on
 * single items, and lists that do not tell, stay 0.
 */
export async function countSource(context: RunContext): Promise<void> {
  if (walksLists(context.run.phases))
    context.channels = { source: await channelsAt(context.source, { signal: context.lease.stop }), destination: [] }
  for (const entity of entities) if (context.run.phases.includes(entity.key)) await countPhase(context, entity)
}

async function countPhase(context: RunContext, entity: Entity): Promise<void> {
  const startedMs = context.clock.monotonicMs()
  await context.recorder.record((tx) => enterPhase(tx, context.run.id, entity.key))
  const totals = await Promise.all(entity.passes.filter(countsByList).map((pass) => countPass(context, pass)))
  const whole = !isPartialRun(context)
  if (whole)
    for (const { key, countAll } of entity.components)
      if (countAll) totals.push([key, await countAll(context.source, context.lease.stop)])
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

async function countPass(context: RunContext, pass: Pass): Promise<[string, number | undefined]> {
  const { root } = pass
  if (readsPicks(context, pass)) return [root, (await countScope(context.database, context.run.id))[root] ?? 0]
  // What hangs on a part of a list is a part of another list, and no count tells how long that is.
  if (isPartialRun(context) && pass.below !== undefined) return [root, undefined]
  if (pass.below !== undefined && (await isPartlyRequested(context, pass.below))) return [root, undefined]
  if (pass.countRequested && !isPartialRun(context))
    return [root, await pass.countRequested(context.source, context.run, { signal: context.lease.stop })]
  const source = await partOfList(context, 'source', pass, pass.source)
  if (!source) return [root, 0]
  return [
    root,
    await lengthOf(context.source, source, { signal: context.lease.stop, channels: context.channels?.source }),
  ]
}

/** Of items of which a run asks for some only, no count tells how much hangs on those. */
async function isPartlyRequested({ source, run, lease }: RunContext, component: string): Promise<boolean> {
  const owner = entities.flatMap(({ passes }) => passes).find(({ root }) => root === component)
  if (!owner?.isRequested || !owner.countRequested || !owner.source.length) return false
  const page = { signal: lease.stop }
  const [requested, all] = await Promise.all([
    owner.countRequested(source, run, page),
    owner.source.length(source, owner.source.query ?? {}, page),
  ])
  return requested < all
}
