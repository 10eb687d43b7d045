import { claimsOf } from '../../db/ledger/mappings.ts'
import type { Component } from '../../entities/core/component.ts'
import type { RunContext } from '../context/context.ts'
import type { CreateRequest, Ended, Outcome } from './writes.ts'

/** What has a call of its own, or comes into existence with its owner, is no one else's. */
function mayBeAnothers({ create, idByOwner, recovery }: Component): boolean {
  return recovery === 'resend' && (create?.batch ?? 1) > 1 && idByOwner === undefined
}

/**
 * The items of a call that have a key of one before them, by that one. In the same call they would overwrite it, and the
 * copy of the first would be what the last is (B6).
 */
export function twinsIn(component: Component, requests: CreateRequest[]): Map<CreateRequest, CreateRequest> {
  const twins = new Map<CreateRequest, CreateRequest>()
  const byKey = new Map<string, CreateRequest>()
  if (component.shared || !mayBeAnothers(component)) return twins
  for (const request of requests) {
    const keys = request.draft.keys.map((key) => `${request.draft.parentId ?? request.parentId} ${key}`)
    const first = keys.map((key) => byKey.get(key)).find((one) => one !== undefined)
    if (first) twins.set(request, first)
    else for (const key of keys) byKey.set(key, request)
  }
  return twins
}

export function refusedAsTwin(holder: string): Outcome {
  return {
    kind: 'refused',
    refusal: { title: `It has the same key as ${holder}`, errors: {}, method: '', path: '', httpStatus: 0 },
  }
}

/**
 * Where a call overwrites what has the same key, two items of the source may end as one at the destination: only the first
 * is its original (B6).
 */
export async function withoutMerged(context: RunContext, component: Component, outcomes: Ended[]): Promise<Ended[]> {
  if (component.shared) return outcomes
  const { database, pair, references } = context
  const saved = outcomes.flatMap(([, outcome]) => (outcome.kind === 'saved' ? [outcome.saved.id] : []))
  const scope = references.scope(component.key)
  const originals = mayBeAnothers(component)
    ? await claimsOf(database, pair, scope, component.key, saved)
    : new Map<string, string>()
  return outcomes.map(([request, outcome]): Ended => {
    if (outcome.kind !== 'saved') return [request, outcome]
    const { id } = outcome.saved
    const original = originals.get(id) ?? request.draft.id
    originals.set(id, original)
    if (original === request.draft.id) return [request, outcome]
    return [request, refusedAsTwin(`destination item ${id}, which is already the copy of source item ${original}`)]
  })
}
