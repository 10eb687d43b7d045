import { markUpdated } from '../../db/ledger/ledger.ts'
import { saveDestinationChecksums } from '../../db/ledger/mappings.ts'
import { settleIssues } from '../../db/reports/healing.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { RunContext } from '../context/context.ts'
import { pageAddress, saveMovedPages } from '../core/page-addresses.ts'
import { completableLate, type LateCompletion, warnLeftOut } from '../plan/late-references.ts'
import { leftOutIssue } from '../plan/plan-issues.ts'
import { existingByIds } from '../read/by-ids.ts'
import { type AddressWay, completeLate, regainAddress } from '../write/complete-pending.ts'
import { type OpenPass, openPass, startItem } from './open-pass.ts'
import { recordChecksums } from './record-checksums.ts'

/** A copy whose source address has become free at the destination, and the path that it has instead. */
export interface LateAddress extends Omit<LateCompletion, 'states'> {
  currentPath: string
}

/** Completes items that refer to others of their pass, once all are copied, and reports what is still missing. */
export async function completeReferences(open: OpenPass): Promise<void> {
  const { context, pass, plan } = open
  for await (const completion of completableLate(context, pass)) await startLate(open, completion)
  await open.workers.settle()
  await warnLeftOut(context, pass, (draft, missing, broken) => leftOutIssue(plan, draft, missing, broken))
}

/** Writes texts again whose links lead elsewhere than when they were written. */
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

/** Gives copies their source addresses, which have become free, or others where no page is. */
export async function completeAddresses(
  context: RunContext,
  entity: Entity,
  pass: Pass,
  completions: LateAddress[],
  way: AddressWay,
): Promise<void> {
  const open = openPass(context, entity, pass, { adoptOnly: false })
  await open.workers.watch(async () => {
    for (const { item, resolved, mapping, currentPath } of completions) {
      const input = { item, resolved, mapping, states: new Map() }
      await startItem(open, resolved.draft, () => regainAddress(open.deps, input, mapping, { currentPath, way }))
    }
    await open.workers.settle()
    if (way === 'own') await noteRegained(context, pass, completions)
  })
}

function startLate(open: OpenPass, completion: LateCompletion): Promise<void> {
  return startItem(open, completion.resolved.draft, () => completeLate(open.deps, completion, completion.mapping))
}

/** Reads the items again: not every response shows the address, and the platform may have assigned another one. */
async function noteRegained(context: RunContext, pass: Pass, completions: LateAddress[]): Promise<void> {
  const ids = completions.map(({ mapping }) => mapping.destinationId)
  const there = await existingByIds(context, pass, ids, { compares: true })
  const pages = completions.flatMap(({ resolved, mapping }) =>
    pageAddress(resolved.draft, there.get(mapping.destinationId)?.item.path ?? null),
  )
  const regained = pages.filter(({ sourcePath, destinationPath }) => sourcePath === destinationPath)
  // An item with pending work has no checksum (C2).
  const sums = completions.flatMap(({ mapping: { destinationId, draftChecksum } }) => {
    const checksum = draftChecksum === null ? undefined : there.get(destinationId)?.checksum
    return checksum === undefined ? [] : [{ destinationId, checksum }]
  })
  await context.recorder.record(async (tx, tally) => {
    await saveMovedPages(tx, context, pages)
    const updated = await markUpdated(
      tx,
      context.run.id,
      pass.root,
      regained.map(({ sourceId }) => sourceId),
    )
    tally.add(pass.root, 'skipped', -updated)
    tally.add(pass.root, 'updated', updated)
    await settleIssues(
      tx,
      context.run,
      regained.map(({ component, sourceId }) => ({ component, sourceId, code: 'address_changed' })),
    )
    await saveDestinationChecksums(tx, context.pair, context.references.scope(pass.root), pass.root, sums)
  })
}
