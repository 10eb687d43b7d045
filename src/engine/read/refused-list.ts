import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { settleIssues } from '../../db/reports/healing.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { componentOf } from '../../entities/registry.ts'
import type { OpenRun } from '../context/open-run.ts'
import { describeRefusal, type ListRefusal, refusedCall } from '../core/refusals.ts'
import { refusalOf } from '../preflight/enter-stores.ts'

interface PassOfRun {
  entity: Entity
  pass: Pass
}

/**
 * Does some work for a pass. If a store refuses a list, the work ends and the refusal becomes a failure of the pass
 * (G7), once it is clear that neither is the whole store away nor its token revoked.
 *
 * @returns the refusal; null when the work was done
 * @throws RunFailure, Stopped, LeaseLost and faults of the database
 */
export async function unlessRefused(
  context: OpenRun,
  of: PassOfRun,
  work: () => Promise<void>,
): Promise<ListRefusal | null> {
  for (let tries = 1; ; tries++) {
    try {
      await work()
      return null
    } catch (error) {
      const refusal = await refusalOf(context, error)
      if (!refusal) throw error
      // The store answers again by now, so the list may, too.
      if (refusal.suspect === 'outage' && tries === 1) continue
      context.log.warn(
        { err: error, runId: context.run.id, pass: of.pass.key },
        'a store refused a call; the rest of the pass is left to a later attempt',
      )
      await recordRefusal(context, of, refusal)
      return refusal
    }
  }
}

async function recordRefusal(context: OpenRun, of: PassOfRun, refusal: ListRefusal): Promise<void> {
  await context.recorder.record(async (tx) => {
    await saveIssues(tx, context.run, [issueOf(context, of, refusal)])
  })
}

/** Settles the issue about a refused list that has been read since. */
export async function settleRefused(context: OpenRun, { root }: Pass): Promise<void> {
  await context.recorder.record((tx) =>
    settleIssues(tx, context.run, [{ component: root, sourceId: '', code: 'list_refused' }]),
  )
}

function issueOf(context: OpenRun, { entity, pass }: PassOfRun, refusal: ListRefusal): IssueToWrite {
  const { label } = componentOf(pass.root)
  const call = { ...refusal, path: refusal.path ?? pass.source.path }
  const message = `${label}: ${describeRefusal(context.stores, call)}. What was not read before is not ${done[context.run.mode]}.`
  return {
    phase: entity.key,
    component: pass.root,
    severity: 'failure',
    code: 'list_refused',
    message,
    sourceId: '',
    item: { name: label, sku: null, path: null },
    platform: refusedCall(call),
    position: { pass: pass.key, rootId: '' },
  }
}

const done = { full: 'copied', 'dry-run': 'in this plan', verify: 'compared', counts: 'counted' } as const
