import { claimsOf } from '../../db/ledger/mappings.ts'
import type { Component } from '../../entities/core/component.ts'
import type { RunContext } from '../context/context.ts'
import type { Ended } from './writes.ts'

/**
 * Where a call overwrites what has the same key, two items of the source may end as one at the destination: only the first
 * is its original (B6).
 */
export async function withoutMerged(context: RunContext, component: Component, outcomes: Ended[]): Promise<Ended[]> {
  if (component.shared) return outcomes
  const { database, pair, references } = context
  const saved = outcomes.flatMap(([, outcome]) => (outcome.kind === 'saved' ? [outcome.saved.id] : []))
  // What has a call of its own, or comes into existence with its owner, is no one else's.
  const isListed = (component.create?.batch ?? 1) > 1 && component.idByOwner === undefined
  const mayBeAnothers = component.recovery === 'resend' && isListed
  const scope = references.scope(component.key)
  const originals = mayBeAnothers
    ? await claimsOf(database, pair, scope, component.key, saved)
    : new Map<string, string>()
  return outcomes.map(([request, outcome]): Ended => {
    if (outcome.kind !== 'saved') return [request, outcome]
    const { id } = outcome.saved
    const original = originals.get(id) ?? request.draft.id
    originals.set(id, original)
    if (original === request.draft.id) return [request, outcome]
    const title = `It has the same key as destination item ${id}, which is already the copy of source item ${original}`
    return [request, { kind: 'refused', refusal: { title, errors: {}, method: '', path: '', httpStatus: 0 } }]
  })
}
