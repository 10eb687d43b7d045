import { deleteIntents } from '../../db/ledger/intents.ts'
import type { Component } from '../../entities/core/component.ts'
import { savedIn } from './outcomes.ts'
import {
  confirmReachable,
  endIntents,
  mostSends,
  type Sender,
  type Sent,
  send,
  type Write,
  waitUntilSettled,
} from './send.ts'
import type { Refusal, Updated, UpdateEntry, UpdateTarget } from './writes.ts'

/**
 * Sends an update or a deletion until it is answered, and records the outcome. This is safe to repeat, because the call
 * names only known ids (B5).
 */
export async function sendUntilAnswered(
  sender: Sender,
  write: Omit<Write, 'baseline' | 'before'>,
  target: UpdateTarget,
  entry: UpdateEntry,
): Promise<Updated> {
  const { context } = sender
  const { component } = write
  const before = target.before ? [target.before] : []
  for (let sends = 1; ; sends++) {
    const sent = await send(sender, { ...write, baseline: null, before })
    if (sent.kind === 'unconfirmed') await waitUntilSettled(sender, sent.unconfirmed)
    if (sends < mostSends && mayHelpToRepeat(component, sent)) {
      await context.recorder.record((tx) => deleteIntents(tx, [intentOf(sent)]))
      continue
    }
    if (sent.kind === 'unconfirmed') await confirmReachable(context)
    const refusal = sent.refusal ?? partlySaved(component, sent)
    const saved = sent.kind === 'unconfirmed' ? null : savedIn(sent)
    const recorded = entry(refusal, saved)
    await context.recorder.record(async (tx, tally, bulk) => {
      bulk.add(endIntents, intentOf(sent))
      tally.add(component.key, 'errors', refusal ? 1 : 0)
      await recorded(tx, tally, bulk)
    })
    return { refusal, saved }
  }
}

function mayHelpToRepeat({ repeatsPartly }: Component, sent: Sent): boolean {
  return sent.kind === 'unconfirmed' || (sent.httpStatus === 207 && repeatsPartly === true)
}

function intentOf(sent: Sent): number {
  return sent.kind === 'unconfirmed' ? sent.unconfirmed.intentId : sent.intentId
}

/** A part that stays unsaved after every attempt counts as refused. */
function partlySaved({ repeatsPartly }: Component, sent: Sent): Refusal | null {
  if (sent.kind === 'unconfirmed' || sent.httpStatus !== 207 || !repeatsPartly) return null
  const { method, path } = sent.call
  return { title: 'Saved without one of its attributes', errors: {}, method, path, httpStatus: 207 }
}
