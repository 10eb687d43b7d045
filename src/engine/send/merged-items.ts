import { claimsOf } from '../../db/ledger/mappings.ts'
import { takeKeysInTurn } from '../../db/ledger/simulated-mappings.ts'
import type { Component } from '../../entities/core/component.ts'
import { isMadeRedirect } from '../../model/made-redirects.ts'
import type { RunContext } from '../context/context.ts'
import type { CreateRequest, Ended, Outcome } from './writes.ts'

/** What has a call of its own, or comes into existence with its owner, is no one else's. */
function mayBeAnothers({ create, idByOwner, recovery }: Component): boolean {
  return recovery === 'resend' && (create?.batch ?? 1) > 1 && idByOwner === undefined
}

/**
 * The items that have a key of one before them in the call or, where an old source may have such items, in the run, with
 * the source id of that one. They would overwrite it, and the copy of the first would be what the last is (B6).
 */
export async function twinsIn(
  context: RunContext,
  component: Component,
  requests: CreateRequest[],
): Promise<Map<CreateRequest, string>> {
  if (component.mayHaveTwins) return twinsInRun(context, component, requests)
  const twins = new Map<CreateRequest, string>()
  const byKey = new Map<string, string>()
  if (component.shared || !mayBeAnothers(component)) return twins
  for (const request of requests) {
    const keys = request.draft.keys.map((key) => `${request.draft.parentId ?? request.parentId} ${key}`)
    const first = keys.map((key) => byKey.get(key)).find((one) => one !== undefined)
    if (first) twins.set(request, first)
    else for (const key of keys) byKey.set(key, request.draft.id)
  }
  return twins
}

/** A redirect that the run makes itself is sent only where none is (`keepAddresses`). */
async function twinsInRun(
  { database, run, protection }: RunContext,
  { key: component }: Component,
  requests: CreateRequest[],
): Promise<Map<CreateRequest, string>> {
  const own = requests.filter(({ draft }) => !isMadeRedirect(draft.id))
  const items = own.map(({ draft }) => ({
    holder: `${component}/${draft.id}`,
    keys: protection.keys(draft).map((key) => `${component}/${key}`),
  }))
  const held = await takeKeysInTurn(database, run.id, items)
  return new Map(
    own.flatMap((request): [CreateRequest, string][] => {
      const other = held.get(`${component}/${request.draft.id}`)
      return other === undefined ? [] : [[request, other.slice(component.length + 1)]]
    }),
  )
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
