import { CredentialsError, MissingScopeError } from '../../bigcommerce/errors.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { endWaiting } from '../../db/ledger/waiting.ts'
import { refusedPasses } from '../../db/reports/healing.ts'
import { enterPhase, finishPhase, leaveInProgress } from '../../db/runs/run-life.ts'
import { countOpenFailures } from '../../db/runs/runs.ts'
import { endStartedStock } from '../../db/side-effects/started-stock.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { entities, phasesNamedBy, reporterOf } from '../../entities/registry.ts'
import { contextOf, type RunContext } from '../context/context.ts'
import type { OpenRun } from '../context/open-run.ts'
import { RunFailure } from '../core/stopping.ts'
import { sendDeferredWrites } from '../finish/deferred-writes.ts'
import { keepAddresses } from '../finish/keep-addresses.ts'
import { followLinks } from '../finish/late-links.ts'
import { regainAddresses } from '../finish/regain-addresses.ts'
import { createHealer, type Healer } from '../heal/healer.ts'
import { drivePass, drivePassAgain } from '../pass/drive-pass.ts'
import { enterStores, refusalOf, sidesOf } from '../preflight/enter-stores.ts'
import { endDeletions, makeRoom, pruneDestination } from '../prune/pruner.ts'
import { reportDuplicates } from '../send/duplicates.ts'
import { settleAbandoned, settleLeftovers } from '../send/unconfirmed.ts'
import { compareImageSizes } from '../verify/deep-images.ts'
import { countSource } from './count-runner.ts'
import { prepareRun } from './prepare-run.ts'

/** Drives one run from where earlier attempts left it to its end. @throws Stopped, RunFailure, LeaseLost */
export async function driveRun(open: OpenRun): Promise<void> {
  if (open.run.mode === 'counts') {
    await enterStores(open, ['source'])
    await goOn(open)
    await countSource(open)
    return finish(open)
  }
  const stores = await enterStores(open, ['source', 'destination'])
  const context = contextOf(open, await prepareRun(open, stores))
  const { run } = context
  const healItems = createHealer(context)
  const heal: Healer = async (part) => {
    await settleFailed(context)
    await healItems(part)
  }
  await goOn(open)
  if (run.mode === 'full') await settleFirst(context)
  // A person requested this healing; everything else is done.
  if (run.heal.round > 0) {
    await heal('all')
    await followLinks(context)
    for (const entity of entities)
      if (run.phases.includes(entity.key)) await reportDuplicates(context, entity, refusalsOf(context))
  } else if (!(await copyOrCompare(context, heal))) return
  await keepAddresses(context)
  await sendDeferredWrites(context)
  if (comparesSizes(run)) await compareImageSizes(context, stores)
  if (run.mode === 'full') await settleFailed(context)
  await finish(context)
}

/** Ends the wait: what the run waited for is back. */
async function goOn({ run, recorder }: OpenRun): Promise<void> {
  if (run.waiting) await recorder.record((tx) => endWaiting(tx, run.id))
}

/**
 * Nothing may be written before it is known whether earlier writes arrived (B4), so a store that does not show it
 * pauses the run.
 *
 * @throws RunFailure
 */
async function settleFirst(context: RunContext): Promise<void> {
  try {
    await settleLeftovers(context)
  } catch (error) {
    const refusal = await refusalOf(context, error)
    if (!refusal) throw error
    const call = `${refusal.method} ${refusal.path ?? ''}`.trim()
    const message = `The destination store ${context.stores.destination.hash} does not answer ${call} (HTTP ${refusal.httpStatus}), which shows whether earlier writes arrived. Nothing is written before that is known. Resume the migration when it answers again.`
    throw new RunFailure('list_refused', message, { cause: error })
  }
}

/** Whether the writes of failed items arrived, as far as the destination shows it by now (B4). */
function settleFailed(context: RunContext): Promise<void> {
  return settleAbandoned(context, refusalsOf(context))
}

function refusalsOf(context: RunContext): (error: unknown) => Promise<boolean> {
  return async (error) => (await refusalOf(context, error)) !== null
}

/** @returns false when the run was paused for an answer. */
async function copyOrCompare(context: RunContext, heal: Healer): Promise<boolean> {
  const heals = context.run.mode === 'full'
  for (const entity of entities) {
    // An order is written only once, so what it refers to has to be as complete as it can be.
    if (heals && writesOnce(context, entity)) await heal('first')
    if (!(await drivePhase(context, entity))) return false
    if (!(await driveWaiting(context, entity))) return false
  }
  // Before deletions: nothing of a component is deleted while one of its items has failed (D4).
  if (heals) await heal('all')
  else await readRefusedAgain(context)
  // Before links, because they lead to the addresses of pages.
  await regainAddresses(context)
  await followLinks(context)
  if (!prunes(context.run)) return true
  if (!(await pruneDestination(context))) return false
  if (heals) await heal('pruned')
  await endDeletions(context)
  return true
}

/** Reads refused lists once more, because a run that only compares or plans does not heal. */
async function readRefusedAgain(context: RunContext): Promise<void> {
  const refused = await refusedPasses(context.database, context.run)
  for (const entity of entities)
    for (const pass of entity.passes) if (refused.includes(pass.key)) await drivePassAgain(context, entity, pass)
}

function writesOnce({ run }: RunContext, { key, passes }: Entity): boolean {
  return run.phases.includes(key) && passes.some(({ createOnly }) => createOnly)
}

function comparesSizes({ mode, deepImages, phases }: RunContext['run']): boolean {
  return mode === 'verify' && deepImages && phases.includes(reporterOf('originals').entity.key)
}

function prunes({ mode, conflictStrategy }: RunContext['run']): boolean {
  return (mode === 'full' || mode === 'dry-run') && conflictStrategy === 'replace'
}

/** @returns false when the run was paused for an answer. */
async function drivePhase(context: RunContext, entity: Entity): Promise<boolean> {
  const inScope = context.run.phases.includes(entity.key)
  if (!inScope && !isReferredTo(context, entity.key)) return true
  const startedMs = context.clock.monotonicMs()
  if (inScope) context.phaseWatch?.began(entity.key)
  if (inScope) await context.recorder.record((tx) => enterPhase(tx, context.run.id, entity.key))
  // Children of other items are never referred to.
  const passes = inScope ? entity.passes : entity.passes.filter(({ below }) => below === undefined)
  for (const pass of passes) if (!pass.afterPhases && !(await driveWithRoom(context, entity, pass))) return false
  if (inScope) await reportDuplicates(context, entity, refusalsOf(context))
  const workedSeconds = (context.clock.monotonicMs() - startedMs) / 1000
  if (inScope && entity.components.some(({ sideEffects }) => sideEffects?.mail)) await context.mails.release()
  // Before a phase sets stock to another level.
  if (inScope && entity.components.some(({ sideEffects }) => sideEffects?.stock)) await context.stock.release()
  if (inScope) await endLevels(context, entity)
  if (inScope) await context.recorder.record((tx) => finishPhase(tx, context.run.id, entity.key, workedSeconds))
  if (inScope) context.phaseWatch?.ended()
  return true
}

/** After the phase that sets levels of stock, forgets what new items started with. */
async function endLevels({ pair, recorder, run }: RunContext, { components, passes }: Entity): Promise<void> {
  if (run.mode !== 'full') return
  const level = components.find(({ sideEffects }) => sideEffects?.level)
  const products = passes.find(({ root }) => root === level?.key)?.below
  if (level && products)
    await recorder.record((tx) => endStartedStock(tx, pair, { id: run.id, component: level.key, products }))
}

/** @returns false when the run was paused for an answer. */
async function driveWithRoom(context: RunContext, entity: Entity, pass: Pass): Promise<boolean> {
  await drivePass(context, entity, pass)
  return !prunes(context.run) || makeRoom(context, entity, pass)
}

/**
 * Drives second passes over items of earlier phases, once the last phase that they wait for has ended (C5).
 *
 * @returns false when the run was paused for an answer.
 */
async function driveWaiting(context: RunContext, ended: Entity): Promise<boolean> {
  const inScope = entities.filter(({ key }) => context.run.phases.includes(key))
  for (const entity of inScope)
    for (const pass of entity.passes)
      if (entities.findLast(({ key }) => pass.afterPhases?.includes(key)) === ended)
        if (!(await driveWithRoom(context, entity, pass))) return false
  return true
}

/** An entity out of scope is looked up if one in scope refers to it. */
function isReferredTo(context: RunContext, key: string): boolean {
  const inScope = entities.filter((entity) => context.run.phases.includes(entity.key))
  return inScope.some((entity) => phasesNamedBy(entity).includes(key))
}

/** Differences that a verify reports are not failures (F1), but a list that it could not compare is one (G7). */
async function openFailures(tx: InTransaction, run: RunContext['run']): Promise<number> {
  if (run.mode === 'verify') return (await refusedPasses(tx, run)).length
  return (await countOpenFailures(tx, [run.id])).get(run.id) ?? 0
}

async function finish(context: OpenRun): Promise<void> {
  await context.mails.release()
  await context.stock.release()
  await context.flushCalls()
  await context.recorder.record(async (tx) => {
    const failures = await openFailures(tx, context.run)
    await leaveInProgress(tx, context.run, failures > 0 ? 'partial_completed' : 'completed')
  })
}

/**
 * Why the run cannot go on; null when nothing is wrong with the stores. If a token is refused in the middle of a run,
 * it was revoked or lost a scope, or the platform made a mistake: entering the stores again shows which.
 */
export async function failureOf(open: OpenRun, error: unknown): Promise<RunFailure | null> {
  if (error instanceof RunFailure) return error
  if (!(error instanceof CredentialsError || error instanceof MissingScopeError)) return null
  try {
    await enterStores(open, sidesOf(open))
    return null
  } catch (found) {
    return found instanceof RunFailure ? found : null
  }
}
