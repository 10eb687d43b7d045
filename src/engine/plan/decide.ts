import type { IssueCode } from '../../contract/issue-codes.ts'
import type { ConflictStrategy } from '../../contract/modes.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import { type Draft, isLeftOut } from '../../entities/core/draft.ts'

/** A destination item as the list showed it. */
export interface Listed {
  checksum: string
  /** Whether every field is as it should be; null if the list does not show all fields. */
  equal: boolean | null
  /** The call and status with which the destination failed to show the item's content. */
  unread?: string
}

/** A destination item that has a key of the draft. */
export interface Candidate {
  destinationId: string
  keys: string[]
  /** The source item whose copy it is; undefined when it is free. */
  claimedBy: string | undefined
  /** Null under `skip`, which only compares items that were copied before. */
  listed: Listed | null
}

/** How an issue names the item (S9). */
export interface Names {
  called: string
  sku: string | null
}

export interface Found extends Names {
  strategy: ConflictStrategy
  draft: Draft
  /** Keys as stored; hashes for personal and secret components. */
  keys: string[]
  checksum: string
  mapping: Mapping | undefined
  /** Whether the mapped item exists at the destination. */
  exists: boolean
  /** The mapped item as listed; null if this run created it, or if the list does not show what to compare. */
  listed: Listed | null
  /** In the order of the keys they were found by, strongest first. */
  candidates: Candidate[]
  /** Optional references to items that have no copy now. */
  missing: string[]
  /** The item belongs to an item of another pass that was adopted. */
  parentAdopted: boolean
  /** Destination-owned fields are written as well. No checksum covers them (D1). */
  overwritesDestinationOwned: boolean
  /** Written once and never again. */
  createOnly: boolean
  /** The item is about a person who may have been erased, and the request does not ask to create it again (G12). */
  staysErased: boolean
  /** Lists do not show all of the item (complex rules), so equal checksums do not prove that it is as it should be. */
  unlisted: boolean
  /** The copy may have extra children that an earlier run left, and this run deletes them (G17). */
  mayHaveExtra: boolean
}

export type Decision =
  | { kind: 'create'; destinationDeleted: boolean }
  /** `assigns`: nor is its copy on the storefront of this run yet (D3). */
  | { kind: 'continue'; assigns?: true }
  /** It was compared now and is as it should be (G13). */
  | { kind: 'matched' }
  /** It is as it should be, but not mapped yet, or not with both checksums. */
  | { kind: 'equal'; destinationId: string }
  | { kind: 'skipped' }
  /** Its copy was deleted or archived and is not created again (B7). */
  | { kind: 'archived'; destinationId: string }
  /** Its copy was deleted, perhaps because a person asked to be erased, and is not created again (G12). */
  | { kind: 'erased'; destinationId: string }
  /** It belongs to an item that stays erased (G12). `owner`: that item, in words. */
  | { kind: 'of-erased'; owner: string; component: string }
  /** It does not exist at the destination, and the platform accepts no such item. */
  | { kind: 'left-out'; message: string }
  /** Its content could not be read or has no place at the destination, so the copy is left as it is. */
  | { kind: 'unread'; message: string }
  | { kind: 'adopt'; destinationId: string }
  /** Its copy is not on the storefront of this run yet (D3). */
  | { kind: 'assign' }
  /** Compare in full and write what differs. `changed`: it was edited at the destination since we wrote it (C2). */
  | { kind: 'examine'; destinationId: string; adopts: boolean; changed: boolean }
  /** `claimedBy`: the source item whose copy is in the way. `remedy`: if it is not that of the code. */
  | {
      kind: 'fail'
      code: IssueCode
      message: string
      destinationId: string
      claimedBy: string | undefined
      remedy?: string
    }

/** Decides about one item under the run's strategy. Pure: everything it needs was read for the whole page. */
export function decide(found: Found): Decision {
  const decision = decideAsUsual(found)
  const { uncreatable: message, unread } = found.draft
  const unreadThere = existingOf(found, decision)?.unread
  if (unreadThere && !unread) return { kind: 'unread', message: describeUnread(unreadThere) }
  if (message === null) return decision
  if (decision.kind === 'create') return { kind: 'left-out', message }
  return isLeftOut(found.draft) ? { kind: 'unread', message } : decision
}

function existingOf({ mapping, listed, candidates }: Found, decision: Decision): Listed | null | undefined {
  if (mapping) return listed
  return candidates.find(({ destinationId }) => destinationId === adoptedId(decision))?.listed
}

/** @param answer the call and status with which the destination failed to show the content */
export function describeUnread(answer: string): string {
  return `it was not compared and was left as it is, because the destination answered ${answer}.`
}

function decideAsUsual(found: Found): Decision {
  const { mapping, strategy } = found
  if (mapping && found.exists) return decideKnown(found, mapping)
  if (mapping && found.createOnly) return { kind: 'archived', destinationId: mapping.destinationId }
  if (mapping && found.staysErased) return { kind: 'erased', destinationId: mapping.destinationId }
  if (mapping) return { kind: 'create', destinationDeleted: true }
  const decision = decideByKey(found, found.keys, found.candidates)
  if (strategy !== 'skip') return decision.kind === 'adopt' ? compareAdopted(found, decision.destinationId) : decision
  // Under `skip`, the parent decides (D2).
  return decision.kind === 'create' && found.parentAdopted ? { kind: 'skipped' } : decision
}

/** Decides about an item that has a copy. Every later run completes what is pending, under any strategy (C1). */
function decideKnown(found: Found, mapping: Mapping): Decision {
  const resolvable = mapping.owed.some((pending) => !found.missing.includes(pending))
  if (found.strategy !== 'skip' && found.listed) return compareKnown(found, mapping, found.listed, resolvable)
  if (resolvable) return { kind: 'continue' }
  return isSeenEqual(found, mapping) ? { kind: 'matched' } : { kind: 'skipped' }
}

/** Whether the list shows that a complete copy is as it should be. What it does not show was not compared (G13). */
function isSeenEqual({ checksum, listed, missing }: Found, mapping: Mapping): boolean {
  // What it still lacks, it lacks because of a missing reference.
  if (!listed || missing.length > 0) return false
  const isUnchanged = mapping.draftChecksum === checksum && mapping.destinationChecksum === listed.checksum
  return isUnchanged || listed.checksum === checksum || listed.equal === true
}

/**
 * If both checksums are unchanged there is nothing to do, unless lists do not show all of the item or `replace` may
 * have children to delete (G17). Otherwise the fields decide (C2).
 */
function compareKnown(found: Found, mapping: Mapping, listed: Listed, resolvable: boolean): Decision {
  const { destinationId } = mapping
  const { unlisted, mayHaveExtra } = found
  const sameDraft = mapping.draftChecksum === found.checksum
  const sameThere = mapping.destinationChecksum === listed.checksum
  const isUnchanged = sameDraft && sameThere && !found.overwritesDestinationOwned
  if (!resolvable && !unlisted && !mayHaveExtra) {
    if (isUnchanged) return { kind: 'matched' }
    if (listed.equal) return { kind: 'equal', destinationId }
  }
  // Without a recorded checksum, if the source is unchanged, any difference comes from the destination.
  const changedThere = !sameThere && (mapping.destinationChecksum !== null || sameDraft)
  // The list shows no difference, so a difference that it does not show comes from the destination.
  const changed = changedThere || (unlisted && isUnchanged)
  return { kind: 'examine', destinationId, adopts: false, changed }
}

function compareAdopted(found: Found, destinationId: string): Decision {
  const listed = found.candidates.find((candidate) => candidate.destinationId === destinationId)?.listed
  if (listed?.equal) return { kind: 'equal', destinationId }
  return { kind: 'examine', destinationId, adopts: true, changed: false }
}

/** Adopts one to one, and never an item whose stronger key differs (B6). */
export function decideByKey(
  names: Names,
  keys: string[],
  candidates: Candidate[],
): Extract<Decision, { kind: 'create' | 'adopt' | 'fail' }> {
  const conflict = candidates.find((candidate) => disagrees(keys, candidate.keys))
  const match = candidates.find((candidate) => !disagrees(keys, candidate.keys))
  if (match?.claimedBy !== undefined) return collision(names, match)
  if (match) return { kind: 'adopt', destinationId: match.destinationId }
  if (conflict) return naturalKeyConflict(names, conflict)
  return { kind: 'create', destinationDeleted: false }
}

type Failed = Extract<Decision, { kind: 'fail' }>

function collision({ called }: Names, { destinationId, claimedBy }: Candidate): Failed {
  const message = `${called} has the same key as destination item ${destinationId}, which is already the copy of source item ${claimedBy}.`
  return { kind: 'fail', code: 'natural_key_collision', message, destinationId, claimedBy }
}

function naturalKeyConflict({ called, sku }: Names, conflict: Candidate): Failed {
  const { destinationId, claimedBy } = conflict
  const other = sku === null ? 'is of another type' : `another SKU (${sku})`
  const message = `${called} has the name of destination item ${destinationId} but ${other}.`
  return { kind: 'fail', code: 'natural_key_conflict', message, destinationId, claimedBy }
}

/** Whether both have a key that is stronger than the one that matched, and differs: same name, different SKUs. */
export function disagrees(ours: string[], theirs: string[]): boolean {
  for (const key of ours) {
    if (theirs.includes(key)) return false
    const kind = key.slice(0, key.indexOf(':') + 1)
    if (kind !== '' && theirs.some((other) => other.startsWith(kind))) return true
  }
  return false
}

/** The destination item that the decision adopts as the copy. */
export function adoptedId(decision: Decision): string | undefined {
  if (decision.kind === 'adopt' || decision.kind === 'equal') return decision.destinationId
  return decision.kind === 'examine' && decision.adopts ? decision.destinationId : undefined
}

/** Destination items that earlier items of the page have taken, before that is recorded (B6). */
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
