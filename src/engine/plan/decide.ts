import type { IssueCode } from '../../contract/issue-codes.ts'
import type { ConflictStrategy } from '../../contract/modes.ts'
import type { Mapping } from '../../db/ledger/mappings.ts'
import type { Draft } from '../../entities/core/draft.ts'

/** How a destination item stood when the destination was listed. */
export interface Listed {
  checksum: string
  /** Whether it stands as wanted, field by field; null where the list does not show all of it. */
  equal: boolean | null
}

/** A destination item that carries one of the keys sought. */
export interface Candidate {
  destinationId: string
  keys: string[]
  /** The source item it is mapped to already; undefined when it is free. */
  claimedBy: string | undefined
  /** Null under a strategy that leaves alone what stands. */
  listed: Listed | null
}

export interface Found {
  strategy: ConflictStrategy
  draft: Draft
  /** Keys as stored; hashes for personal and secret components. */
  keys: string[]
  checksum: string
  mapping: Mapping | undefined
  /** The mapped item was listed at the destination. */
  exists: boolean
  /** How the mapped item stood; null when this run made it, or when nothing is compared. */
  listed: Listed | null
  /** By key, strongest key first. */
  candidates: Candidate[]
  /** Missing optional references of today. */
  missing: string[]
  /** It hangs on an item of another pass that was adopted. */
  parentAdopted: boolean
  /** Living values are wanted too: no checksum tells of them (D1). */
  overwritesDestinationOwned: boolean
  /** Written once and never again. */
  createOnly: boolean
  /** Part of it is on no list, so that equal checksums do not say that it stands as wanted (complex rules). */
  unlisted: boolean
}

export type Decision =
  | { kind: 'create'; destinationDeleted: boolean }
  | { kind: 'continue' }
  | { kind: 'matched' }
  /** It stands as wanted, which no mapping said yet. */
  | { kind: 'equal'; destinationId: string }
  | { kind: 'skipped' }
  /** It was copied, and somebody put the copy away: it is not made again (B7). */
  | { kind: 'archived'; destinationId: string }
  /** It does not stand there, and the platform takes no such item. */
  | { kind: 'left-out'; message: string }
  | { kind: 'adopt'; destinationId: string }
  /** A copy of ours that is not on the storefront of this run yet (D3). */
  | { kind: 'place' }
  /** Compare in full, and write what differs; `changed`: somebody else edited it since we wrote it (C2). */
  | { kind: 'examine'; destinationId: string; adopts: boolean; changed: boolean }
  | { kind: 'fail'; code: IssueCode; message: string; destinationId: string }

/** What becomes of one item under the run's strategy. Pure: everything it needs was fetched for the whole page. */
export function decide(found: Found): Decision {
  const decision = decideAsUsual(found)
  const { uncreatable } = found.draft
  return decision.kind === 'create' && uncreatable !== null ? { kind: 'left-out', message: uncreatable } : decision
}

function decideAsUsual(found: Found): Decision {
  const { mapping, strategy } = found
  if (mapping && found.exists) return decideKnown(found, mapping)
  if (mapping && found.createOnly) return { kind: 'archived', destinationId: mapping.destinationId }
  if (mapping) return { kind: 'create', destinationDeleted: true }
  const decision = decideByKey(found.draft, found.keys, found.candidates)
  if (strategy !== 'skip') return decision.kind === 'adopt' ? compareAdopted(found, decision.destinationId) : decision
  // `skip` is decided at the parent (D2).
  return decision.kind === 'create' && found.parentAdopted ? { kind: 'skipped' } : decision
}

/** What is owed is continued by any later run, under every strategy (C1). */
function decideKnown(found: Found, mapping: Mapping): Decision {
  const resolvable = mapping.owed.some((pending) => !found.missing.includes(pending))
  if (found.strategy !== 'skip' && found.listed) return compareKnown(found, mapping, found.listed, resolvable)
  if (resolvable) return { kind: 'continue' }
  if (mapping.draftChecksum === found.checksum) return { kind: 'matched' }
  return { kind: 'skipped' }
}

/** Both checksums as they were: nothing to do, unless no list shows all of it. Otherwise the fields decide (C2). */
function compareKnown(found: Found, mapping: Mapping, listed: Listed, resolvable: boolean): Decision {
  const { destinationId } = mapping
  const sameDraft = mapping.draftChecksum === found.checksum
  const sameThere = mapping.destinationChecksum === listed.checksum
  const { overwritesDestinationOwned, unlisted } = found
  if (!resolvable && sameDraft && sameThere && !overwritesDestinationOwned && !unlisted) return { kind: 'matched' }
  if (!resolvable && listed.equal && !unlisted) return { kind: 'equal', destinationId }
  // An item that nobody sealed and whose source is as it was can only differ because of the destination.
  const changedThere = !sameThere && (mapping.destinationChecksum !== null || sameDraft)
  // Nothing that a list shows differs: what does was changed there.
  const changed = changedThere || (unlisted && sameDraft && sameThere && !overwritesDestinationOwned)
  return { kind: 'examine', destinationId, adopts: false, changed }
}

function compareAdopted(found: Found, destinationId: string): Decision {
  const listed = found.candidates.find((candidate) => candidate.destinationId === destinationId)?.listed
  if (listed?.equal) return { kind: 'equal', destinationId }
  return { kind: 'examine', destinationId, adopts: true, changed: false }
}

/** Adoption is one to one, and never against a second identifier that says otherwise (B6). */
export function decideByKey(
  draft: Draft,
  keys: string[],
  candidates: Candidate[],
): Extract<Decision, { kind: 'create' | 'adopt' | 'fail' }> {
  const conflict = candidates.find((candidate) => disagrees(keys, candidate.keys))
  const match = candidates.find((candidate) => !disagrees(keys, candidate.keys))
  if (match?.claimedBy !== undefined) return collision(draft, match)
  if (match) return { kind: 'adopt', destinationId: match.destinationId }
  if (conflict) return naturalKeyConflict(draft, conflict)
  return { kind: 'create', destinationDeleted: false }
}

type Failed = Extract<Decision, { kind: 'fail' }>

function collision(draft: Draft, match: Candidate): Failed {
  const message = `"${draft.name ?? draft.id}" (source ${draft.id}) would be the same as destination item ${match.destinationId}, which already is the copy of source item ${match.claimedBy}.`
  return { kind: 'fail', code: 'natural_key_collision', message, destinationId: match.destinationId }
}

function naturalKeyConflict(draft: Draft, conflict: Candidate): Failed {
  const message = `"${draft.name ?? draft.id}" (source ${draft.id}, SKU ${draft.sku ?? 'none'}) has the name of destination item ${conflict.destinationId}, which has another SKU.`
  return { kind: 'fail', code: 'natural_key_conflict', message, destinationId: conflict.destinationId }
}

/** A stronger key than the one that matched is there on both sides and differs: same name, different SKUs. */
export function disagrees(ours: string[], theirs: string[]): boolean {
  for (const key of ours) {
    if (theirs.includes(key)) return false
    const kind = key.slice(0, key.indexOf(':') + 1)
    if (kind !== '' && theirs.some((other) => other.startsWith(kind))) return true
  }
  return false
}

/** The destination item that a decision records as the copy. */
export function adoptedId(decision: Decision): string | undefined {
  if (decision.kind === 'adopt' || decision.kind === 'equal') return decision.destinationId
  return decision.kind === 'examine' && decision.adopts ? decision.destinationId : undefined
}

/** What an item of a page takes is not free for those behind it, although no row says so yet (B6). */
export class TakenOnPage {
  private readonly by = new Map<string, string>()

  claimedBy({ claimedBy, destinationId }: Pick<Candidate, 'claimedBy' | 'destinationId'>): string | undefined {
    return claimedBy ?? this.by.get(destinationId)
  }

  note({ draft, mapping }: Pick<Found, 'draft' | 'mapping'>, decision: Decision): void {
    const taken = adoptedId(decision)
    if (taken !== undefined && !mapping) this.by.set(taken, draft.id)
  }
}
