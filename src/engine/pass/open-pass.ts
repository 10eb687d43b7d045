import type { ConflictStrategy } from '../../contract/modes.ts'
import type { Draft, Entity, Pass } from '../../entities/core/define.ts'
import type { RunContext } from '../context/context.ts'
import { isItemFault, wordsOf } from '../core/item-faults.ts'
import { everyDraft } from '../core/pairing.ts'
import { PagePlanner } from '../plan/plan-page.ts'
import { PlanRecorder } from '../plan/plan-recorder.ts'
import type { TaskDeps } from '../write/item-record.ts'
import { openWorkers, type Workers } from './workers.ts'

export interface PassOptions {
  /** Only looks up what exists on both sides: an entity out of scope is referred to, never copied (C4). */
  adoptOnly: boolean
  /** Failed items are retried: the destination is read again, and with `alone` no batch fails with them. */
  healing?: { alone: boolean }
}

/** One pass under way. */
export interface OpenPass {
  readonly context: RunContext
  readonly entity: Entity
  readonly pass: Pass
  readonly adoptOnly: boolean
  /** `skip` for an entity out of scope, whatever the run does to the others. */
  readonly strategy: ConflictStrategy
  readonly planner: PagePlanner
  readonly records: PlanRecorder
  readonly workers: Workers
  readonly tasks: TaskDeps
}

export function openPass(
  context: RunContext,
  entity: Entity,
  pass: Pass,
  { adoptOnly, healing }: PassOptions,
): OpenPass {
  const strategy = adoptOnly || pass.createOnly ? 'skip' : context.run.conflictStrategy
  const workers = openWorkers(context, entity, healing ?? { alone: false })
  const { writer, batcher, updates, park } = workers
  const isHealing = healing !== undefined
  const planner = new PagePlanner(context, entity, pass, { adoptOnly, strategy, healing: isHealing })
  return {
    context,
    entity,
    pass,
    adoptOnly,
    strategy,
    planner,
    records: new PlanRecorder(context, entity, pass, planner),
    workers,
    tasks: { context, entity, pass, writer, batcher, updates, healing: isHealing, park },
  }
}

/** Works on an item as soon as a slot is free. A fault of one item becomes its issue; a fault of the run ends this attempt. */
export function startItem(open: OpenPass, draft: Draft, work: () => Promise<void>): Promise<void> {
  return open.workers.start(async () => {
    try {
      await work()
    } catch (error) {
      if (!isItemFault(error)) throw error
      open.context.log.error({ err: error, component: draft.component }, 'an item failed unexpectedly')
      await recordFault(open, draft, wordsOf(error))
    }
  })
}

function recordFault({ context, planner, records }: OpenPass, draft: Draft, reason: string): Promise<void> {
  const rows = [...everyDraft(draft)].map(({ component, id }) => ({
    component,
    sourceId: id,
    state: 'failed' as const,
  }))
  const item = context.protection.item(draft)
  const message = `"${item.name ?? draft.id}" (source ${draft.id}) could not be copied: ${reason}.`
  const issue = { ...planner.issues.issue('failure', 'unexpected', draft.id, item, message), covers: rows }
  return context.recorder.record(async (tx, tally) => {
    await records.end(tx, tally, rows)
    await records.saveIssues(tx, tally, [issue])
  })
}
