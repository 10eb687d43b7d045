import { deleteIntents } from '../../db/ledger/intents.ts'
import type { WriteCall } from '../../entities/core/calls.ts'
import type { Component } from '../../entities/core/component.ts'
import type { Draft } from '../../entities/core/draft.ts'
import { savedById } from './outcomes.ts'
import { sendUntilAnswered } from './repeat.ts'
import { endIntents, namedItem, type Sender, send, waitUntilSettled } from './send.ts'
import type { Updated, UpdateEntry, UpdateRequest, UpdateTarget } from './writes.ts'

/** How often all items are sent in one call before they go one by one. */
const mostSendsTogether = 2

export function updateOne(
  sender: Sender,
  component: Component,
  desired: Draft,
  call: WriteCall,
  target: UpdateTarget,
  entry: UpdateEntry,
): Promise<Updated> {
  const items = [namedItem(desired, target)]
  return sendUntilAnswered(sender, { component, action: 'update', pass: target.pass, items, call }, target, entry)
}

/**
 * Updates several items in one call, and sends it again if the answer is lost (B5). Items that the platform does not
 * save that way are sent one by one, so that a refused item does not take the others with it.
 */
export async function updateSeveral(
  sender: Sender,
  component: Component,
  requests: UpdateRequest[],
): Promise<Updated[]> {
  const outcomes = new Map<UpdateRequest, Updated>()
  for (let sends = 1; requests.length > 1 && sends <= mostSendsTogether; sends++) {
    const sent = await updateOnce(sender, component, requests)
    for (const [request, updated] of sent.saved) outcomes.set(request, updated)
    if (sent.kind === 'answered') break
  }
  return Promise.all(requests.map(async (request) => outcomes.get(request) ?? updateAlone(sender, component, request)))
}

async function updateAlone(
  sender: Sender,
  component: Component,
  { desired, existing, fields, target, entry }: UpdateRequest,
): Promise<Updated> {
  const call = component.update?.call(desired, existing, target.parentId, fields)
  return call ? updateOne(sender, component, desired, call, target, entry) : { refusal: null, saved: null }
}

/** What one call saved. */
async function updateOnce(
  sender: Sender,
  component: Component,
  requests: UpdateRequest[],
): Promise<{ kind: 'answered' | 'unconfirmed'; saved: [UpdateRequest, Updated][] }> {
  const { context } = sender
  const call = component.update?.several?.call(requests)
  if (!call) return { kind: 'answered', saved: [] }
  const items = requests.map(({ desired, target }) => namedItem(desired, target))
  const before = requests.flatMap(({ target }) => target.before ?? [])
  const pass = requests[0]?.target.pass ?? ''
  const sent = await send(sender, { component, action: 'update', pass, items, baseline: null, call, before })
  if (sent.kind === 'unconfirmed') {
    await waitUntilSettled(sender, sent.unconfirmed)
    await context.recorder.record((tx) => deleteIntents(tx, [sent.unconfirmed.intentId]))
    return { kind: 'unconfirmed', saved: [] }
  }
  const answered = savedById(sent)
  // A 200 covers all items, whether or not the answer shows them; a 207 covers only those it shows.
  const isSaved = ({ existing }: UpdateRequest) =>
    !sent.refusal && (sent.httpStatus !== 207 || answered.has(existing.id))
  const saved = requests
    .filter(isSaved)
    .map((request): [UpdateRequest, Updated] => [
      request,
      { refusal: null, saved: answered.get(request.existing.id) ?? null },
    ])
  const entries = saved.map(([{ entry }, updated]) => entry(null, updated.saved))
  await context.recorder.record(async (tx, tally, bulk) => {
    bulk.add(endIntents, sent.intentId)
    for (const entry of entries) await entry(tx, tally, bulk)
  })
  return { kind: 'answered', saved }
}
