import { CredentialsError, MissingScopeError } from '../../bigcommerce/errors.ts'
import { probeScopes, readStoreInformation, type StoreInformation } from '../../bigcommerce/store-information.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { enterPhase, finishPhase, leaveInProgress } from '../../db/runs/run-life.ts'
import { countOpenFailures } from '../../db/runs/runs.ts'
import type { Entity, Pass } from '../../entities/core/define.ts'
import { entities, phasesNamedBy } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { RunFailure } from '../core/stopping.ts'
import { missingScope, storeFailure } from '../core/store-failures.ts'
import { sendDeferredWrites } from '../finish/deferred-writes.ts'
import { keepAddresses } from '../finish/keep-addresses.ts'
import { followLinks } from '../finish/late-links.ts'
import { regainAddresses } from '../finish/regain-addresses.ts'
import { movesOf } from '../finish/shop-moves.ts'
import { healRun } from '../heal/healer.ts'
import { PassRunner } from '../pass/pass-runner.ts'
import { reportFindings } from '../preflight/findings.ts'
import { probesOf } from '../preflight/opening-calls.ts'
import { pruneDestination } from '../prune/pruner.ts'
import { pairChannels } from '../scope/pair-channels.ts'
import { readSites } from '../scope/read-sites.ts'
import { settleLeftovers } from '../send/unconfirmed.ts'
import { compareImageSizes } from '../verify/deep-images.ts'
import { VerifyRunner } from '../verify/verify-runner.ts'
import { countSource } from './count-runner.ts'

/** Drives one run from wherever it stands to its end. @throws Stopped, RunFailure, LeaseLost */
export async function driveRun(context: RunContext): Promise<void> {
  const stores = await preflight(context)
  const { source, destination } = stores
  if (!destination) return countAndFinish(context)
  const sites = await readSites(context)
  const channels = await pairChannels(context, source, destination, sites)
  await context.references.openShop(movesOf({ source, destination }, sites, channels.paired))
  if (context.run.mode !== 'verify') await reportFindings(context, { source, destination }, channels)
  if (context.run.mode === 'full') await settleLeftovers(context)
  // A healing that somebody asked for finds everything else done.
  if (context.run.heal.round > 0) {
    await healRun(context)
    await followLinks(context)
  } else if (!(await copyOrCompare(context))) return
  await keepAddresses(context)
  await sendDeferredWrites(context)
  if (looksAtSizes(context.run)) await compareImageSizes(context, { source, destination })
  await finish(context)
}

/** @returns false when the run was paused for an answer. */
async function copyOrCompare(context: RunContext): Promise<boolean> {
  const heals = context.run.mode === 'full'
  for (const entity of entities) {
    // What could be copied after all is there before an order names it: an order is written once.
    if (heals && writesOnce(context, entity)) await healRun(context, 'first')
    await drivePhase(context, entity)
    await driveWaiting(context, entity)
  }
  // Before anything is deleted: nothing of a kind is, as long as one of it has failed (D4).
  if (heals) await healRun(context)
  // Before links are followed, because they lead to where pages are.
  await regainAddresses(context)
  await followLinks(context)
  if (!prunes(context.run)) return true
  if (!(await pruneDestination(context))) return false
  if (heals) await healRun(context, 'pruned')
  return true
}

function writesOnce({ run }: RunContext, { key, passes }: Entity): boolean {
  return run.phases.includes(key) && passes.some(({ createOnly }) => createOnly)
}

async function countAndFinish(context: RunContext): Promise<void> {
  await countSource(context)
  await finish(context)
}

function looksAtSizes({ mode, deepImages, phases }: RunContext['run']): boolean {
  return mode === 'verify' && deepImages && phases.includes('products')
}

function prunes({ mode, conflictStrategy }: RunContext['run']): boolean {
  return (mode === 'full' || mode === 'dry-run') && conflictStrategy === 'replace'
}

interface Stores {
  source: StoreInformation
  /** Null when the run only counts the source. */
  destination: StoreInformation | null
}

/** Both stores answer and let us in. What is wrong here is wrong for every item. */
async function preflight(context: RunContext): Promise<Stores> {
  const needsDestination = context.run.mode !== 'counts'
  try {
    const [source, destination] = await Promise.all([
      enter(context, 'source'),
      needsDestination ? enter(context, 'destination') : null,
    ])
    return { source, destination }
  } catch (error) {
    // Before anything was copied nothing is gained by waiting for a store that is away: the merchant hears of it at once.
    if (error instanceof RunFailure && error.mayPass && !context.run.begun)
      throw new RunFailure(error.code, error.message, { cause: error })
    throw error
  }
}

async function enter(context: RunContext, side: 'source' | 'destination'): Promise<StoreInformation> {
  const signal = context.lease.stop
  try {
    const information = await readStoreInformation(context[side], { signal })
    const missing = await probeScopes(context[side], { probes: probesOf(context.run.phases), signal })
    if (missing.length > 0)
      throw missingScope([...new Set(missing.map((one) => one.scope))].join(', '), context.stores[side])
    return information
  } catch (error) {
    throw storeFailure(error, context.stores[side]) ?? error
  }
}

async function drivePhase(context: RunContext, entity: Entity): Promise<void> {
  const inScope = context.run.phases.includes(entity.key)
  if (!inScope && !isReferredTo(context, entity.key)) return
  const startedMs = context.clock.monotonicMs()
  if (inScope) await context.recorder.record((tx) => enterPhase(tx, context.run.id, entity.key))
  // Nobody refers to what hangs on other items.
  const passes = inScope ? entity.passes : entity.passes.filter(({ below }) => below === undefined)
  for (const pass of passes) if (!pass.afterPhases) await drivePass(context, entity, pass)
  const workedSeconds = (context.clock.monotonicMs() - startedMs) / 1000
  if (inScope && entity.components.some(({ sendsMail }) => sendsMail)) await context.mails.release()
  // Before stock is set that is not to be what it was.
  if (inScope && entity.components.some(({ takesStock }) => takesStock)) await context.stock.release()
  if (inScope) await context.recorder.record((tx) => finishPhase(tx, context.run.id, entity.key, workedSeconds))
}

async function drivePass(context: RunContext, entity: Entity, pass: Pass): Promise<void> {
  const inScope = context.run.phases.includes(entity.key)
  context.lease.stop.throwIfAborted()
  if (context.run.mode === 'verify' && inScope) await new VerifyRunner(context, entity, pass).run()
  else await new PassRunner(context, entity, pass, { adoptOnly: !inScope || context.run.mode === 'verify' }).run()
}

/** Second passes over items of earlier phases that waited for this one, the last of those they name (C5). */
async function driveWaiting(context: RunContext, ended: Entity): Promise<void> {
  const inScope = entities.filter(({ key }) => context.run.phases.includes(key))
  for (const entity of inScope)
    for (const pass of entity.passes)
      if (entities.findLast(({ key }) => pass.afterPhases?.includes(key)) === ended)
        await drivePass(context, entity, pass)
}

/** An entity out of scope is only looked up, and only when one in scope names it. */
function isReferredTo(context: RunContext, key: string): boolean {
  const inScope = entities.filter((entity) => context.run.phases.includes(entity.key))
  return inScope.some((entity) => phasesNamedBy(entity).includes(key))
}

/** What a verify run finds is told, and does not keep it from being completed (F1). */
async function openFailures(tx: InTransaction, { id, mode }: RunContext['run']): Promise<number> {
  return mode === 'verify' ? 0 : ((await countOpenFailures(tx, [id])).get(id) ?? 0)
}

async function finish(context: RunContext): Promise<void> {
  await context.mails.release()
  await context.stock.release()
  await context.flushCalls()
  await context.recorder.record(async (tx) => {
    const failures = await openFailures(tx, context.run)
    await leaveInProgress(tx, context.run, failures > 0 ? 'partial_completed' : 'completed')
  })
}

/**
 * Why the run cannot go on; null when the error does not tell. A refused token in the middle was revoked or curtailed
 * meanwhile: both stores are asked again, which tells whose it is, and whether it was a slip of the platform.
 */
export async function failureOf(context: RunContext, error: unknown): Promise<RunFailure | null> {
  if (error instanceof RunFailure) return error
  if (!(error instanceof CredentialsError || error instanceof MissingScopeError)) return null
  try {
    await preflight(context)
    return null
  } catch (found) {
    return found instanceof RunFailure ? found : null
  }
}
