import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { emptyRecording } from '../core/recording.ts'
import { decideByKey } from '../plan/decide.ts'
import { keyMatchesOf } from '../plan/key-matches.ts'
import { remediesOf } from '../plan/remedy-of-collision.ts'
import type { Refusal } from '../send/writes.ts'
import type { ItemState } from './item-state.ts'
import { entryOf, recordFailure } from './record-item.ts'

/** Fails an item that the platform does not let us update. Another item may have the key that it is to get (B6). */
export async function failUpdate(state: ItemState, existing: Draft, refusal: Refusal): Promise<void> {
  await giveNames(state, existing)
  const recording = emptyRecording()
  recordFailure(state, state.root, refusal, recording)
  const taken = refusal.rule === undefined ? await takenBy(state, existing) : {}
  recording.issues = recording.issues.map((issue) => ({ ...issue, ...taken }))
  await state.deps.context.recorder.record(entryOf(state, recording))
}

/** What to report if another destination item has one of the keys; nothing if none has. */
async function takenBy({ deps, root }: ItemState, existing: Draft): Promise<Partial<IssueToWrite>> {
  const { context, pass } = deps
  const { protection } = context
  const matches = (await keyMatchesOf(context, pass, [root], { compares: false })).get(root.id) ?? []
  const others = matches.filter(({ destinationId }) => destinationId !== existing.id)
  const names = { called: protection.calledInCollision(root), sku: protection.item(root).sku }
  const candidates = others.map((one) => ({ ...one, listed: null }))
  const decision = decideByKey(names, protection.keys(root), candidates)
  if (decision.kind === 'create') return {}
  if (decision.kind === 'fail') {
    const { code, message, destinationId, claimedBy } = decision
    const [remedy] = await remediesOf(context, pass, [{ keys: root.keys, claimedBy }])
    return { code, message, destinationId, ...(remedy !== undefined && { remedy }) }
  }
  const { destinationId } = decision
  const message = `${names.called} has the same key as destination item ${destinationId}, which is no copy.`
  return { code: 'natural_key_conflict', message, destinationId }
}

/** What a copy has for a moment in place of the names that it exchanges with others: its new ones, with its id. */
export function standIns({ root, component }: ItemState, { id }: Draft, names: readonly string[]): PlatformItem {
  return Object.fromEntries(
    names.map((name) => {
      const longest = component.limits?.fields?.[name]?.longest ?? Infinity
      const own = String(root.body[name] ?? '')
      // The mailbox of an email stays the same.
      const [, start = own, end = ''] = name === 'email' ? (own.match(/^(.*)(@.*)$/) ?? []) : []
      const suffix = end === '' ? ` ${id}` : `+${id}${end}`
      return [name, own === '' ? own : `${[...start].slice(0, longest - suffix.length).join('')}${suffix}`]
    }),
  )
}

/**
 * Gives a copy its names, or else those that it had, if it has stand-ins for them: it is refused for another reason, and
 * shoppers would see them until that is gone. It may have them since an earlier run.
 */
async function giveNames(state: ItemState, existing: Draft): Promise<void> {
  const { deps, root, component } = state
  const had = deps.exchanging.get(existing.id)
  const between = standIns(state, existing, component.uniqueFields ?? [])
  const isStandIn = ([name, value]: [string, unknown]) => value !== '' && value === existing.compare[name]
  const names = Object.keys(had ?? Object.fromEntries(Object.entries(between).filter(isStandIn)))
  if (names.length === 0) return
  const target = { pass: deps.pass.key, rootId: root.id, parentId: '', before: undefined }
  for (const body of [root.body, ...(had ? [{ ...root.body, ...had }] : [])]) {
    const call = component.update?.call({ ...root, body }, existing, '', names)
    if (!call) return
    const { refusal } = await deps.writer.update(component, root, call, target, () => async () => undefined)
    if (!refusal) return
  }
}
