import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { setExpected } from '../../db/ledger/counters.ts'
import { type LedgerRow, pendingRoots, statesOf, statesOfRoots } from '../../db/ledger/ledger.ts'
import { saveSourceKeys } from '../../db/ledger/prune.ts'
import type { Side } from '../../db/runs/scope-items.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { RunContext } from '../context/context.ts'
import { readingList, refusalIn } from '../core/refusals.ts'
import { holdAddresses } from '../dry-run/taken-keys.ts'
import { belongsToNewOnly } from '../plan/belonging-to-new.ts'
import { isPlanned, isReportable } from '../plan/decision.ts'
import { broken } from '../plan/plan-issues.ts'
import { orAssignedAgain, planPage, planWithReferred } from '../plan/plan-page.ts'
import { ledgerRows } from '../plan/planned-rows.ts'
import {
  adoptLookupOnly,
  keysOnPage,
  recordDecided,
  recordGone,
  recordIssues,
  recordPlan,
  recordUnwritable,
} from '../plan/record-plan.ts'
import { listDestination } from '../read/destination-lister.ts'
import { sourceChanged } from '../read/source-changed.ts'
import type { SourcePage } from '../read/source-page.ts'
import { readAgain, sourcePages } from '../read/source-reader.ts'
import { markDraftsInScope } from '../scope/partial-run.ts'
import { endGonePicks } from '../scope/picks.ts'
import { completeReferences } from './complete-late.ts'
import { type OpenPass, openPass } from './open-pass.ts'
import { recordChecksums } from './record-checksums.ts'
import { startAll } from './start-items.ts'

/** Roots read again in one call when an attempt resumes. */
const resumedAtOnce = 50

/**
 * One pass of a phase: reads the source page by page, plans each page in one transaction, and writes the items of many
 * pages at a time. Plans are in the ledger, so a later attempt reads again only what is pending there.
 */
export async function runPass(
  context: RunContext,
  entity: Entity,
  pass: Pass,
  { adoptOnly }: { adoptOnly: boolean },
): Promise<void> {
  const open = openPass(context, entity, pass, { adoptOnly })
  await open.workers.watch(async () => {
    try {
      await work(open)
    } catch (error) {
      // A refused list is not the fault of items that were read before: they are finished.
      if (refusalIn(error)) await open.workers.settle()
      throw error
    }
  })
}

async function work(open: OpenPass): Promise<void> {
  const { context, entity, pass, adoptOnly } = open
  if (!(await belongsToNewOnly(context, entity, pass)))
    await readingList(context, 'destination', pass.destination.path, () =>
      listDestination(context, pass, {
        compares: open.strategy !== 'skip',
        onIncomplete: (missing) => warnIncomplete(open, missing, 'destination'),
      }),
    )
  await holdAddresses(context, pass)
  const checkpoint = await readCheckpoint(context.database, context.run.id, pass.key)
  await readingList(context, 'source', pass.source.path, async () => {
    await resumePending(open)
    if (!checkpoint.finished) await planFrom(open, checkpoint.position, checkpoint.pages)
  })
  await open.workers.settle()
  if (adoptOnly) return
  await completeReferences(open)
  await recordChecksums(context, pass)
}

async function planFrom(open: OpenPass, position: string, pages: number): Promise<void> {
  const { context, pass, workers } = open
  let number = pages
  let at = position
  let level: number | null = null
  for await (const page of pagesFrom(open, position)) {
    // Parents exist before their children are planned (C5); groups only share their calls.
    if (page.level !== level) await (pass.parentOf ? workers.settle() : workers.flush())
    level = page.level
    await takePage(open, page, ++number)
    at = page.position
  }
  const end = { position: at, pages: number, finished: true }
  await context.recorder.record((tx) => writeCheckpoint(tx, context.run.id, pass.key, end))
}

function pagesFrom(open: OpenPass, position: string): AsyncGenerator<SourcePage> {
  const { context, entity, pass, adoptOnly } = open
  return sourcePages(context, pass, position, {
    onIncomplete: (missing) => warnIncomplete(open, missing, 'source'),
    onGone: (ids) => (adoptOnly ? Promise.resolve() : endGonePicks(context, entity, pass, ids)),
  })
}

function warnIncomplete({ context, entity, pass }: OpenPass, missing: number, store: Side): Promise<void> {
  const issue = sourceChanged(entity, pass.root, missing, store)
  return context.recorder.record((tx, tally) => recordIssues(tx, tally, context, [issue]))
}

async function takePage(open: OpenPass, page: SourcePage, number: number): Promise<void> {
  const { context, pass, plan, adoptOnly } = open
  const planned = page.broken ? page.items.map((item) => broken(plan, item)) : await planWithReferred(plan, page.items)
  await markDraftsInScope(
    context,
    'source',
    planned.map((one) => (isPlanned(one) ? one.resolved.draft : { component: pass.root, id: one.id })),
  )
  const rows = planned.flatMap((one) => ledgerRows(plan, one))
  await context.recorder.record(async (tx, tally) => {
    if (!adoptOnly) await recordPlan(tx, tally, plan, planned, rows, number)
    else await adoptLookupOnly(tx, plan, planned)
    if (open.strategy === 'replace') await saveSourceKeys(tx, context.run.id, pass.root, keysOnPage(plan, planned))
    if (page.total !== null) await setExpected(tx, context.run.id, pass.root, page.total)
    await writeCheckpoint(tx, context.run.id, pass.key, { position: page.position, pages: number, finished: false })
  })
  if (!adoptOnly) await startAll(open, planned, rows)
}

async function resumePending(open: OpenPass): Promise<void> {
  const { database, run } = open.context
  for (let after = ''; ; ) {
    const ids = await pendingRoots(database, run.id, open.pass.key, after, resumedAtOnce)
    if (ids.length === 0) return
    after = ids.at(-1) ?? after
    await resumeRoots(open, ids)
  }
}

async function resumeRoots(open: OpenPass, ids: string[]): Promise<void> {
  const { context, pass, plan } = open
  const items = await readAgain(context, pass, ids)
  const found = new Set(items.map((item) => String(item[pass.source.idField])))
  const states = await ledgerStates(open, ids)
  await recordGone(
    plan,
    ids.filter((id) => !found.has(id)),
    states,
  )
  const planned = (await planPage(plan, items)).map((one) => orAssignedAgain(plan, one))
  // Another run may have copied them while this one was paused, so that nothing is left to do.
  await recordDecided(
    plan,
    planned.filter((one) => isPlanned(one) && isReportable(one)),
  )
  await recordUnwritable(plan, planned, states)
  await startAll(open, planned, states)
}

function ledgerStates({ context, entity, pass }: OpenPass, ids: string[]): Promise<LedgerRow[]> {
  const { database, run } = context
  const single = entity.components.length === 1
  return single ? statesOfRoots(database, run.id, pass.root, ids) : statesOf(database, run.id, pass.key, ids)
}
