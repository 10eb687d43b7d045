import { StoreUnreachableError } from '../../bigcommerce/errors.ts'
import type { ConflictStrategy } from '../../contract/modes.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { RunContext } from '../context/context.ts'
import { describeFault, isItemFault } from '../core/item-faults.ts'
import { namesOf } from '../core/pairing.ts'
import { isOfCall, refusalIn } from '../core/refusals.ts'
import { ItemGone } from '../core/stopping.ts'
import type { PagePlan } from '../plan/page-facts.ts'
import { draftIssue } from '../plan/plan-issues.ts'
import { recordFailure } from '../plan/record-plan.ts'
import { refusalOf } from '../preflight/enter-stores.ts'
import type { Deletions, WriteDeps } from '../write/item-state.ts'
import { seenTerms } from '../write/seen-terms.ts'
import { refusedNeed } from './fault-issue.ts'
import { openWorkers, type Workers } from './workers.ts'

export interface PassOptions {
  /** Only looks up what exists on both sides: an entity out of scope is referred to, never copied (C4). */
  adoptOnly: boolean
  /** Retries failed items: the destination is read again, and with `alone` they do not fail others of their batch. */
  healing?: { alone: boolean }
  /** How children that only the destination has are handled; by default, `replace` lists them. */
  deletions?: Deletions
}

/** A pass in progress. */
export interface OpenPass {
  readonly context: RunContext
  readonly entity: Entity
  readonly pass: Pass
  readonly adoptOnly: boolean
  /** `skip` for an entity out of scope, whatever the run does to the others. */
  readonly strategy: ConflictStrategy
  readonly plan: PagePlan
  readonly workers: Workers
  readonly deps: WriteDeps
  /** The ends of items that are being created and wait for no others, by source id. */
  readonly underWay: Map<string, Promise<void>>
  /** Errors that were logged, each once: a failed call may fail thousands of items with the same error. */
  readonly logged: WeakSet<WeakKey>
}

export function openPass(
  context: RunContext,
  entity: Entity,
  pass: Pass,
  { adoptOnly, healing, deletions = lists(context) }: PassOptions,
): OpenPass {
  const strategy = adoptOnly || pass.createOnly ? 'skip' : context.run.conflictStrategy
  const workers = openWorkers(context, entity, healing ?? { alone: false })
  const { writer, creates, updates, park } = workers
  const isHealing = healing !== undefined
  return {
    context,
    entity,
    pass,
    adoptOnly,
    strategy,
    plan: { context, entity, pass, adoptOnly, strategy, healing: isHealing },
    workers,
    deps: {
      ...{ context, entity, pass, writer, creates, updates, park, deletions },
      ...{ healing: isHealing, exchanging: new Map(), seenTerms: seenTerms(context.clock) },
    },
    underWay: new Map(),
    logged: new WeakSet(),
  }
}

/** A healing that a person requested deletes nothing. */
function lists({ run }: RunContext): Deletions {
  return run.conflictStrategy === 'replace' && run.heal.round === 0 ? 'listed' : 'none'
}

/** Works on an item once a slot is free. A fault of the item becomes its issue; one of the run ends the attempt. */
export function startItem(open: OpenPass, draft: Draft, work: () => Promise<void>): Promise<void> {
  return open.workers.start(async () => {
    try {
      await work()
    } catch (error) {
      if (!(await isFaultOfItem(open.context, error))) throw error
      logOnce(open, draft, error)
      await recordFault(open, draft, error)
    }
  })
}

function logOnce({ context, logged }: OpenPass, { component }: Draft, error: unknown): void {
  if (error instanceof ItemGone) return
  if (error instanceof Error) {
    if (logged.has(error)) return
    logged.add(error)
  }
  context.log.error({ err: error, component }, 'an item failed unexpectedly, and so do all that wait for the same call')
}

/** A read without a response is a fault of the item only if the store answers other calls. @throws RunFailure if not */
async function isFaultOfItem(context: RunContext, error: unknown): Promise<boolean> {
  if (isItemFault(error)) return true
  return error instanceof StoreUnreachableError && (await refusalOf(context, error)) !== null
}

function recordFault({ context, plan }: OpenPass, draft: Draft, error: unknown): Promise<void> {
  const called = context.protection.called(draft)
  const covers = namesOf(draft)
  const { code, words } = describeFault(error)
  const issue = draftIssue(plan, 'failure', code, draft, `${called} could not be copied: ${words}.`)
  const refusal = refusalIn(error)
  const refused = isOfCall(refusal) ? refusedNeed(context, called, refusal) : {}
  return recordFailure(plan, covers, { ...issue, covers, ...refused })
}
