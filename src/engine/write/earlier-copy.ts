import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { identity } from '../../entities/core/references.ts'
import { describePending } from '../../entities/item-words.ts'
import { isKind, parsePending } from '../../model/pending.ts'
import { plainText } from '../core/pairing.ts'
import { isSimulated } from '../core/simulated-id.ts'
import { readNow } from '../read/by-ids.ts'
import { plainPages } from '../read/pages.ts'
import { issueAt } from './item-issues.ts'
import type { ItemState } from './item-state.ts'

/**
 * A copy from an earlier run that `skip` completes, as the destination has it now; undefined for all others: this run
 * has just written or compared them, unless shoppers may have added to them meanwhile. Items that are read by id are written in part, so only their texts and sets have to
 * be known.
 *
 * @param fields those to complete
 */
export async function earlierCopy(
  state: ItemState,
  mapping: Mapping,
  existing: Draft,
  fields: string[],
): Promise<Draft | undefined> {
  const { context, pass } = state.deps
  const merged = [...(pass.texts ?? []), ...(pass.sets ?? []).map(({ field }) => field)]
  if (pass.byIds && !fields.some((field) => merged.includes(field))) return undefined
  const { runId, destinationId } = mapping
  const { id, conflictStrategy, heal } = context.run
  // A person may ask to heal a run long after it has ended.
  const isSettled = conflictStrategy !== 'skip' || (runId === id && heal.round === 0)
  if ((isSettled && !state.component.addedTo) || isSimulated(destinationId)) return undefined
  if (Object.keys(existing.compare).length > 0) return existing
  const item = await rowNow(state, destinationId)
  return item && pass.drafts(item, identity)
}

async function rowNow({ deps }: ItemState, id: string): Promise<PlatformItem | undefined> {
  const { context, pass } = deps
  const { picks, destination } = pass
  if (!destination.pages || picks?.idsParameter === undefined)
    return (await readNow(context, 'destination', pass, [id]))[0]
  const alone = { ...destination, query: { ...destination.query, [picks.idsParameter]: id } }
  for await (const { items } of plainPages(context, 'destination', alone)) if (items[0]) return items[0]
  return undefined
}

/** The item with the given fields as they should be, and all others as the destination has them. */
export function withOnly(root: Draft, theirs: Draft, fields: string[]): Draft {
  const kept = Object.entries(theirs.body).filter(([field]) => field in root.body && !fields.includes(field))
  return { ...root, body: { ...root.body, ...Object.fromEntries(kept) } }
}

/** Whether a field of the copy was edited since it was written. @param sent what was sent then */
export function isEdited(state: ItemState, mapping: Mapping, theirs: Draft, sent: Draft, field: string): boolean {
  // A set keeps what it has got since.
  const isSet = state.deps.pass.sets?.some((set) => set.field === field && set.id === undefined)
  if (isSet || isAsWritten(state, mapping, theirs)) return false
  return !shows(theirs.compare[field], sent.compare[field])
}

/** Whether a complete copy is as it was written or as it came back: links that had followed a page are no edits. */
function isAsWritten({ deps, root }: ItemState, mapping: Mapping, theirs: Draft): boolean {
  const { protection } = deps.context
  const own = Object.keys(root.compare).map((field) => [field, theirs.compare[field]])
  const asSent = { ...root, compare: Object.fromEntries(own) }
  return (
    mapping.destinationChecksum === protection.checksum(theirs) || mapping.draftChecksum === protection.checksum(asSent)
  )
}

/** Whether a value is what was sent, whatever the platform has added to it. It may change white space and capitals. */
function shows(value: unknown, sent: unknown): boolean {
  if (sent === undefined || sent === null) return true
  if (Array.isArray(sent))
    return Array.isArray(value) && value.length === sent.length && sent.every((one, at) => shows(value[at], one))
  if (typeof sent === 'object') {
    const fields = (value ?? {}) as PlatformItem
    return Object.entries(sent).every(([name, one]) => shows(fields[name], one))
  }
  return plainText(String(value)) === plainText(String(sent))
}

/** A field was edited, so it stays as it is, without what is still pending. */
export function leftEditedIssue(state: ItemState, existing: Draft, pending: string[]): IssueToWrite {
  const { protection, run } = state.deps.context
  const left = run.mode === 'dry-run' ? 'would be left' : 'was left'
  return {
    ...issueAt(state, state.root),
    severity: 'warning',
    code: 'destination_changed',
    destinationId: existing.id,
    message: `${protection.called(state.root)} was edited in one of the stores after the copy. Its copy ${left} as it is, without ${describeLeftOut(pending)}.`,
    remedy: 'Add it at the destination by hand, or run again with `update`, which makes it like the source.',
  }
}

function describeLeftOut(pending: string[]): string {
  const [items, links] = (['reference', 'link'] as const).map((kind) =>
    describePending(pending.filter((one) => isKind(one, kind))),
  )
  const moved = pending
    .map(parsePending)
    .flatMap((one) => (one.kind === 'moved' ? `the new address of ${one.path}` : []))
  return [items, links && `the id of ${links}`, ...moved].filter(Boolean).join(', ')
}
