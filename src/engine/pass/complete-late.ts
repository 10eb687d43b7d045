import { saveDestinationChecksums } from '../../db/ledger/mappings.ts'
import type { Entity, Pass } from '../../entities/core/define.ts'
import type { RunContext } from '../context/context.ts'
import { type LateCompletion, LateReferences } from '../plan/late-references.ts'
import { addressThere, noteAddresses } from '../plan/page-addresses.ts'
import { existingByIds } from '../read/by-ids.ts'
import { ItemTask } from '../write/item-task.ts'
import { type OpenPass, openPass, startItem } from './open-pass.ts'
import { recordChecksums } from './record-checksums.ts'

/** A copy whose address in the source is free at the destination by now, and the path it has instead. */
export interface LateAddress extends Omit<LateCompletion, 'states'> {
  currentPath: string
}

/** Completes items that name others of their own pass once all of those exist, and reports what is still missing. */
export async function completeReferences(open: OpenPass): Promise<void> {
  const late = new LateReferences(open.context, open.pass)
  for await (const completion of late.payable()) await startLate(open, completion)
  await open.workers.settle()
  await late.warnOnce((draft, missing) => open.planner.issues.leftOut(draft, missing))
}

/** Writes texts whose links have other targets than when they were written. */
export async function completeLinks(
  context: RunContext,
  entity: Entity,
  pass: Pass,
  completions: AsyncIterable<LateCompletion>,
): Promise<void> {
  const open = openPass(context, entity, pass, { adoptOnly: false })
  await open.workers.watch(async () => {
    for await (const completion of completions) await startLate(open, completion)
    await open.workers.settle()
    await recordChecksums(context, pass)
  })
}

/** Gives copies the address that they have in the source and that is free by now. */
export async function completeAddresses(
  context: RunContext,
  entity: Entity,
  pass: Pass,
  completions: LateAddress[],
): Promise<void> {
  const open = openPass(context, entity, pass, { adoptOnly: false })
  await open.workers.watch(async () => {
    for (const { item, resolved, mapping, currentPath } of completions) {
      const task = new ItemTask(open.tasks, { item, resolved, mapping, states: new Map() })
      await startItem(open, resolved.draft, () => task.regainAddress(mapping, currentPath))
    }
    await open.workers.settle()
    await noteRegained(context, pass, completions)
  })
}

async function startLate(open: OpenPass, { item, resolved, mapping, states }: LateCompletion): Promise<void> {
  const task = new ItemTask(open.tasks, { item, resolved, mapping, states })
  await startItem(open, resolved.draft, () => task.completeLate(mapping))
}

/** Not every answer shows the address, and the platform may have assigned another one again: the items are read. */
async function noteRegained(context: RunContext, pass: Pass, completions: LateAddress[]): Promise<void> {
  const ids = completions.map(({ mapping }) => mapping.destinationId)
  const there = await existingByIds(context, pass, ids, { compares: true })
  const pages = completions.flatMap(({ resolved, mapping }) =>
    addressThere(resolved.draft, there.get(mapping.destinationId)?.item.path ?? null),
  )
  // An item with pending work has no checksum (C2).
  const sums = completions.flatMap(({ mapping: { destinationId, draftChecksum } }) => {
    const checksum = draftChecksum === null ? undefined : there.get(destinationId)?.checksum
    return checksum === undefined ? [] : [{ destinationId, checksum }]
  })
  await context.recorder.record(async (tx) => {
    await noteAddresses(tx, context, pages)
    await saveDestinationChecksums(tx, context.pair, context.references.scope(pass.root), pass.root, sums)
  })
}
