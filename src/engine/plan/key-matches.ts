import { claimsOf } from '../../db/ledger/mappings.ts'
import { type Component, comesWithOthers } from '../../entities/core/component.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity } from '../../entities/core/references.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { existingByIds, readNow } from '../read/by-ids.ts'
import { type ListedBody, listingOf } from '../read/destination-lister.ts'
import { findUnlisted } from '../read/unlisted.ts'
import type { Candidate } from './decide.ts'

/** A destination item that has a key of the draft, as listed. */
export type KeyMatch = Omit<Candidate, 'listed'> & { body: ListedBody | undefined }

/** Looks up which destination items have a key of each draft now, by the draft's id. */
export async function keyMatchesOf(
  context: RunContext,
  pass: Pass,
  drafts: Draft[],
  { compares }: { compares: boolean },
): Promise<Map<string, KeyMatch[]>> {
  const found = await Promise.all(
    drafts.map(async (draft) => [draft.id, await keyMatchesOfOne(context, pass, draft, compares)] as const),
  )
  return new Map(found)
}

/**
 * Looks up drafts whose keys no listed item has, and keeps what it finds as if it had been listed (G1). A list of one
 * page cannot have missed any items. Items newer than the list were created by this run, or alongside it.
 *
 * @returns whether anything was found
 */
export async function findByKeys(
  context: RunContext,
  pass: Pass,
  drafts: Draft[],
  { compares }: { compares: boolean },
): Promise<boolean> {
  const { findsUnlisted } = componentOf(pass.root)
  if (!findsUnlisted || drafts.length === 0) return false
  const { pages, newest } = await listingOf(context, pass)
  if (pages < 2) return false
  const found = await Promise.all(
    drafts.map(async (draft) => {
      const sought = { keys: [draft.keys], parentIds: [draft.parentId ?? ''] }
      return sharingKeys(context, draft, await findsUnlisted(context.destination, sought))
    }),
  )
  const ids = [...new Set(found.flat().map(({ id }) => id))].filter((id) => Number(id) <= newest)
  await findUnlisted(context, pass, ids, { compares })
  return ids.length > 0
}

function sharingKeys({ protection }: RunContext, draft: Draft, found: Draft[]): Draft[] {
  const keys = protection.keys(draft)
  return found.filter((one) => protection.keys(one).some((key) => keys.includes(key)))
}

/**
 * The same for items that are planned again, also where the platform lets several items share a key or overwrites one
 * that has it: planned for the first time, they would match what the list shows.
 */
export async function keyMatchesToPlan(
  context: RunContext,
  pass: Pass,
  drafts: Draft[],
  { compares }: { compares: boolean },
): Promise<Map<string, KeyMatch[]>> {
  const component = componentOf(pass.root)
  if (isEnforced(component) || !component.probe) return keyMatchesOf(context, pass, drafts, { compares })
  const parentIds = [...new Set(drafts.map(({ parentId }) => parentId ?? ''))]
  const found = await component.probe(context.destination, { keys: drafts.map(({ keys }) => keys), parentIds })
  const matches = drafts.map(
    async (draft) => [draft.id, await asMatches(context, pass, sharingKeys(context, draft, found), compares)] as const,
  )
  return new Map(await Promise.all(matches))
}

function isEnforced(component: Component): boolean {
  return component.recovery === 'key' || comesWithOthers(component)
}

async function keyMatchesOfOne(context: RunContext, pass: Pass, draft: Draft, compares: boolean): Promise<KeyMatch[]> {
  const component = componentOf(draft.component)
  if (!isEnforced(component) || !component.probe) return []
  const sought = { keys: [draft.keys], parentIds: [draft.parentId ?? ''] }
  const existing = sharingKeys(context, draft, await component.probe(context.destination, sought))
  return asMatches(context, pass, existing, compares)
}

/**
 * Which of the destination items are copies that others may not take, and of which source item. A shared copy is also that
 * of every item with its name, as long as it keeps the name: once its own item has another one, `update` renames it.
 *
 * @param keysOf keys of a destination item
 */
export async function claimedAmong(
  context: RunContext,
  pass: Pass,
  ids: string[],
  keysOf: (id: string) => string[],
): Promise<Map<string, string>> {
  const { database, pair, protection, references, run } = context
  const claims = await claimsOf(database, pair, references.scope(pass.root), pass.root, ids)
  if (!componentOf(pass.root).shared || claims.size === 0) return claims
  if (run.conflictStrategy === 'skip') return new Map()
  const owners = (await readNow(context, 'source', pass, [...new Set(claims.values())])).map((item) =>
    pass.drafts(item, identity),
  )
  const keeps = (id: string, owner: string) =>
    owners.some((one) => one.id === owner && protection.keys(one).some((key) => keysOf(id).includes(key)))
  return new Map([...claims].filter(([id, owner]) => !keeps(id, owner)))
}

async function asMatches(context: RunContext, pass: Pass, existing: Draft[], compares: boolean): Promise<KeyMatch[]> {
  const ids = [...new Set(existing.map(({ id }) => id))]
  const keysOf = (id: string) => context.protection.keys(existing.find((one) => one.id === id) as Draft)
  const claims = await claimedAmong(context, pass, ids, keysOf)
  const bodies = compares ? await existingByIds(context, pass, ids, { compares }) : new Map<string, ListedBody>()
  return ids.map((id) => ({
    destinationId: id,
    keys: keysOf(id),
    claimedBy: claims.get(id),
    body: bodies.get(id),
  }))
}
