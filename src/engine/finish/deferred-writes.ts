import type { InTransaction } from '../../db/core/database.ts'
import type { Tally } from '../../db/ledger/counters.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import { settleIssuesOfPair } from '../../db/reports/healing.ts'
import {
  endSideEffect,
  makeDue,
  openDeferredWrites,
  otherCopiesOff,
  type SideEffect,
} from '../../db/side-effects/side-effects.ts'
import type { WriteCall } from '../../entities/core/calls.ts'
import { type Draft, draft } from '../../entities/core/draft.ts'
import { calledItem, describePending } from '../../entities/item-words.ts'
import { componentOf, entities, entityOf, passOf } from '../../entities/registry.ts'
import { namedItems } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import { openWriter } from '../dry-run/open-writer.ts'
import type { Refusal, Writes } from '../send/writes.ts'
import { doneByHand, withdrawnWrites } from './withdrawn-writes.ts'

const atOnce = 50

/**
 * Sends the deferred writes (D5), including those that earlier runs over the pair left. If the item is still
 * incomplete, its write stays open, with a warning. A run that is cancelled or fails leaves its writes to the next run;
 * once a run has ended, hosts retry what is left.
 */
export async function sendDeferredWrites(context: RunContext): Promise<void> {
  if (context.run.mode !== 'full') return
  const components = entities
    .filter(({ key }) => context.run.phases.includes(key))
    .flatMap((entity) => entity.components.map(({ key }) => key))
  const seen = { components, scopes: [...new Set(components.map((one) => context.references.scope(one)))] }
  await context.recorder.record((tx) => makeDue(tx, context.pair, context.run.id, seen))
  const writer = openWriter(context, (wait) => wait())
  for (let after = { component: '', subject: '' }; ; ) {
    const deferredWrites = await openDeferredWrites(context.database, context.pair, { ...seen, after, limit: atOnce })
    const last = deferredWrites.at(-1)
    if (!last) return
    after = last
    const items = deferredWrites.map(({ component, subject }) => ({ component, sourceId: subject }))
    const mappings = await withPendingHere(context, items)
    const [complete, incomplete] = [true, false].map((is) =>
      [...mappings.values()].filter(({ owed }) => (owed.length === 0) === is),
    ) as [Mapping[], Mapping[]]
    const [withdrawn, done] = await Promise.all([
      withdrawnWrites(context, complete),
      doneByHand(context, deferredWrites, incomplete),
    ])
    await Promise.all(
      deferredWrites.map((deferred) => {
        const name = `${deferred.component}:${deferred.subject}`
        const isOver = withdrawn.has(name) || done.has(name)
        return send(context, writer, deferred, isOver ? undefined : mappings.get(name))
      }),
    )
  }
}

/** Mappings with what their items lack. On its own storefront alone, a copy does not apply to more than it should (D3). */
async function withPendingHere(
  { references, run }: RunContext,
  items: { component: string; sourceId: string }[],
): Promise<Map<string, Mapping>> {
  const isElsewhere = (one: string) => {
    const [named] = run.sourceStorefront === null ? [] : namedItems([one], 'reference')
    return named?.component === 'channels' && named.sourceId !== run.sourceStorefront
  }
  return new Map(
    [...(await references.mappings(items))].map(([name, mapping]) => [
      name,
      { ...mapping, owed: mapping.owed.filter((one) => !isElsewhere(one)) },
    ]),
  )
}

async function send(
  context: RunContext,
  writer: Writes,
  deferred: SideEffect,
  mapping: Mapping | undefined,
): Promise<void> {
  if (!mapping) return context.recorder.record((tx) => endDeferredWrite(tx, context.run, deferred))
  if (mapping.owed.length > 0) return leaveOpen(context, deferred, mapping, whatIsMissing(mapping.owed))
  const { desired, call } = callOfDeferredWrite(deferred, mapping.destinationId)
  if (!call) return
  const target = { pass: passOf(deferred.component)?.key ?? '', rootId: deferred.subject, parentId: '' }
  await writer.update(componentOf(deferred.component), desired, call, target, (refusal) => async (tx, tally) => {
    if (refusal) return refused(context, deferred, mapping, refusal, { tx, tally })
    await endDeferredWrite(tx, context.run, deferred)
  })
}

/** Also settles the issues of all runs that reported the copy as left switched off. */
export async function endDeferredWrite(
  tx: InTransaction,
  run: { id: string; organisationId: string },
  deferred: SideEffect,
): Promise<void> {
  const except = await otherCopiesOff(tx, deferred)
  await endSideEffect(tx, deferred)
  await settleIssuesOfPair(tx, run, [{ ...leftOffOf(deferred), except }])
}

export function whatIsMissing(pending: string[]): string {
  return `it lacks ${describePending(pending)}`
}

/** The call that makes the deferred change to the copy; null if its component cannot be updated. */
export function callOfDeferredWrite(
  deferred: SideEffect,
  destinationId: string,
): { desired: Draft; call: WriteCall | null } {
  const desired = draft(deferred.component, deferred.subject, deferred.desired)
  const existing = { ...desired, id: destinationId }
  const call = componentOf(deferred.component).update?.call(desired, existing, '', Object.keys(deferred.desired))
  return { desired, call: call ?? null }
}

/** Reports a refusal, unless the copy was deleted meanwhile: then nothing is left to do. */
async function refused(
  context: RunContext,
  deferred: SideEffect,
  { destinationId }: Mapping,
  { httpStatus }: Refusal,
  { tx, tally }: { tx: InTransaction; tally: Tally },
): Promise<void> {
  if (httpStatus === 404) return endDeferredWrite(tx, context.run, deferred)
  const issue = leftOff(deferred, destinationId, `the platform refused it with ${httpStatus}`)
  for (const { component } of await saveIssues(tx, context.run, [issue])) tally.add(component, 'warnings')
}

function leaveOpen(context: RunContext, deferred: SideEffect, { destinationId }: Mapping, why: string): Promise<void> {
  return context.recorder.record(async (tx, tally) => {
    const issues = await saveIssues(tx, context.run, [leftOff(deferred, destinationId, why)])
    for (const { component } of issues) tally.add(component, 'warnings')
  })
}

/** The key of the issue about a copy that is still switched off. */
function leftOffOf({ component, subject }: Pick<SideEffect, 'component' | 'subject'>) {
  return { component, sourceId: subject, code: 'left_disabled' as const }
}

export function leftOff(
  deferred: Pick<SideEffect, 'component' | 'subject' | 'item'>,
  destinationId: string,
  why: string,
): IssueToWrite {
  const item = deferred.item ?? { name: null, sku: null, path: null }
  const called = calledItem({ component: deferred.component, id: deferred.subject, name: item.name })
  const message = `${called} was left switched off at the destination (${destinationId}), because ${why}.`
  return {
    ...leftOffOf(deferred),
    phase: phaseOf(deferred.component),
    severity: 'warning',
    message,
    destinationId,
    item,
  }
}

function phaseOf(component: string): string {
  return entityOf(component)?.key ?? ''
}
