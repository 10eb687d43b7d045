import type { IssueCode } from '../contract/issue-codes.ts'
import type { Mapping } from '../db/mappings.ts'
import type { Draft } from '../entities/define.ts'

/** A destination item that carries one of the keys sought. */
export interface Candidate {
  destinationId: string
  keys: string[]
  /** The source item it is mapped to already; undefined when it is free. */
  claimedBy: string | undefined
}

export interface Found {
  draft: Draft
  /** Keys as stored; hashes for personal and secret components. */
  keys: string[]
  checksum: string
  mapping: Mapping | undefined
  /** The mapped item was listed at the destination. */
  stands: boolean
  /** By key, strongest key first. */
  candidates: Candidate[]
  /** Missing optional references of today. */
  missing: string[]
  /** It hangs on an item of another pass that was adopted. */
  parentAdopted: boolean
}

export type Decision =
  | { kind: 'create'; destinationDeleted: boolean }
  | { kind: 'continue' }
  | { kind: 'matched' }
  | { kind: 'skipped' }
  | { kind: 'adopt'; destinationId: string }
  | { kind: 'fail'; code: IssueCode; message: string; destinationId: string }

/** What strategy `skip` does with one item. Pure: everything it needs was fetched for the whole page. */
export function decide(found: Found): Decision {
  const { mapping } = found
  if (mapping && found.stands) return decideKnown(found, mapping)
  if (mapping) return { kind: 'create', destinationDeleted: true }
  const decision = decideByKey(found.draft, found.keys, found.candidates)
  // `skip` is decided at the parent (D2).
  return decision.kind === 'create' && found.parentAdopted ? { kind: 'skipped' } : decision
}

/** Leaves alone only what is adopted or finished; what is owed is continued by any later run (C1). */
function decideKnown(found: Found, mapping: Mapping): Decision {
  const resolvable = mapping.owed.some((owed) => !found.missing.includes(owed))
  if (resolvable) return { kind: 'continue' }
  if (mapping.draftChecksum === found.checksum) return { kind: 'matched' }
  return { kind: 'skipped' }
}

/** Adoption is one to one, and never against a second identifier that says otherwise (B6). */
export function decideByKey(draft: Draft, keys: string[], candidates: Candidate[]): Decision {
  const conflict = candidates.find((candidate) => disagrees(keys, candidate.keys))
  const match = candidates.find((candidate) => !disagrees(keys, candidate.keys))
  if (match?.claimedBy !== undefined) return collision(draft, match)
  if (match) return { kind: 'adopt', destinationId: match.destinationId }
  if (conflict) return naturalKeyConflict(draft, conflict)
  return { kind: 'create', destinationDeleted: false }
}

function collision(draft: Draft, match: Candidate): Decision {
  const message = `"${draft.name ?? draft.id}" (source ${draft.id}) would be the same as destination item ${match.destinationId}, which already is the copy of source item ${match.claimedBy}.`
  return { kind: 'fail', code: 'natural_key_collision', message, destinationId: match.destinationId }
}

function naturalKeyConflict(draft: Draft, conflict: Candidate): Decision {
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
