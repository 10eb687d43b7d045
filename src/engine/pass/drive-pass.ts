import { pendingRoots, statesOf } from '../../db/ledger/ledger.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { calledItem } from '../../entities/item-words.ts'
import type { RunContext } from '../context/context.ts'
import type { ListRefusal } from '../core/refusals.ts'
import { planIssue } from '../plan/plan-issues.ts'
import { recordFailure } from '../plan/record-plan.ts'
import { settleRefused, unlessRefused } from '../read/refused-list.ts'
import { verifyPass } from '../verify/verify-pass.ts'
import { refusedNeed } from './fault-issue.ts'
import { openPass } from './open-pass.ts'
import { runPass } from './run-pass.ts'

/** Copies, compares or only looks up what one pass reads. A refused list ends the pass, but not the run (G7). */
export async function drivePass(context: RunContext, entity: Entity, pass: Pass): Promise<void> {
  // The list may have been refused in an earlier attempt.
  if ((await isRead(context, entity, pass)) && context.run.begun) await settleRefused(context, pass)
}

/** Continues a pass whose list was refused. */
export async function drivePassAgain(context: RunContext, entity: Entity, pass: Pass): Promise<void> {
  if (await isRead(context, entity, pass)) await settleRefused(context, pass)
}

async function isRead(context: RunContext, entity: Entity, pass: Pass): Promise<boolean> {
  const { run } = context
  const inScope = run.phases.includes(entity.key)
  context.lease.stop.throwIfAborted()
  const verifies = run.mode === 'verify' && inScope
  const adoptOnly = !inScope || run.mode === 'verify'
  const refusal = await unlessRefused(context, { entity, pass }, async () => {
    throwIfUnread(context, pass)
    await (verifies ? verifyPass(context, entity, pass) : runPass(context, entity, pass, { adoptOnly }))
  })
  if (refusal) await failPending(context, entity, pass, refusal)
  return refusal === null
}

/** Ends passes that need what a store refused before the first phase. @throws the refusal */
function throwIfUnread({ unread }: RunContext, { source, about }: Pass): void {
  // Most walked lists have a part for each storefront.
  if (source.pages && unread.channels) throw unread.channels
  if (about?.component === 'sites' && unread.sites) throw unread.sites
}

const pendingAtOnce = 50

/** Fails planned items that could not be started without the refused response. Healing tries each again. */
export async function failPending(
  context: RunContext,
  entity: Entity,
  pass: Pass,
  refusal: ListRefusal,
): Promise<void> {
  const call = { ...refusal, path: refusal.path ?? pass.source.path }
  const { plan } = openPass(context, entity, pass, { adoptOnly: false })
  for (;;) {
    const ids = await pendingRoots(context.database, context.run.id, pass.key, '', pendingAtOnce)
    if (ids.length === 0) return
    const rows = await statesOf(context.database, context.run.id, pass.key, ids)
    for (const id of ids) {
      const pending = rows.filter(({ rootId, state }) => rootId === id && state === 'pending')
      const called = calledItem({ component: pass.root, id, name: null })
      const { code, message, platform } = refusedNeed(context, called, call)
      const issue = planIssue(plan, 'failure', code, id, { name: null, sku: null, path: null }, message)
      await recordFailure(plan, pending, { ...issue, covers: pending, platform })
    }
  }
}
