import type { Settled } from '../../db/reports/healing.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { recordIssues } from '../plan/record-plan.ts'

/** Warns that nothing of a component is deleted. */
export async function withhold(
  context: RunContext,
  phase: { key: string },
  component: string,
  reason: string,
): Promise<void> {
  const { label } = componentOf(component)
  const message = `${label}: nothing that only the destination has was deleted, because ${reason}.`
  await warn(context, phase.key, component, 'prune_withheld', message)
}

/** The warning that nothing of a component is deleted. */
export function withheldIn(component: string): Settled {
  return { component, sourceId: '', code: 'prune_withheld' }
}

/** Warns that items stay that the source may have without showing them to its token. */
export async function warnOfHidden(context: RunContext, phase: { key: string }, component: string): Promise<void> {
  const { label } = componentOf(component)
  const message = `${label}: those that the platform shows only to the API account that created them were not deleted, because the source may have them too.`
  await warn(context, phase.key, component, 'not_pruned', message)
}

/** A dry run does not wait for an answer; it warns that the real run would (F2). */
export async function warnOfLimits(
  context: RunContext,
  { phase, component, planned }: { phase: string; component: string; planned: number },
): Promise<void> {
  const { label } = componentOf(component)
  const message = `${label}: ${planned} that only the destination has would be deleted. With all others that is more than the limits of the run allow, so it would pause and ask first.`
  await warn(context, phase, component, 'prune_would_ask', message)
}

async function warn(
  context: RunContext,
  phase: string,
  component: string,
  code: 'not_pruned' | 'prune_withheld' | 'prune_would_ask',
  message: string,
): Promise<void> {
  const { key, label } = componentOf(component)
  const item = { name: label, sku: null, path: null }
  await context.recorder.record((tx, tally) =>
    recordIssues(tx, tally, context, [
      { phase, component: key, severity: 'warning', code, sourceId: '', item, message },
    ]),
  )
}
