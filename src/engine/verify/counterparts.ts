import { listedItems, lookUpKeys } from '../../db/ledger/destination-items.ts'
import { claimsOf } from '../../db/ledger/mappings.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity } from '../../entities/core/references.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { fieldDifferences } from '../core/pairing.ts'
import { existingInSource, itemsByIds } from '../read/by-ids.ts'
import type { ListedBody } from '../read/destination-lister.ts'
import { findUnlisted } from '../read/unlisted.ts'

export interface Counterpart {
  destinationId: string
  /** Absent where it was found by its natural key. */
  mapping: Mapping | undefined
  body: ListedBody
  /** Null where the list shows the whole item. */
  existing: Draft | null
}

/** Destination items to compare with, by source id. */
export async function counterpartsOf(
  context: RunContext,
  pass: Pass,
  drafts: Draft[],
): Promise<Map<string, Counterpart>> {
  const { mappings, copies } = await mappingsThatHold(context, pass, drafts)
  const ids = await destinationIds(context, pass, drafts, mappings)
  const others = [...ids.values()].filter((id) => !copies.has(id))
  const listed = new Map([...copies, ...(await listedItems(context.database, context.run.id, pass.root, others))])
  const existing = await existingItems(
    context,
    pass,
    [...ids.values()].filter((id) => listed.has(id)),
  )
  const found = new Map<string, Counterpart>()
  for (const [sourceId, destinationId] of ids) {
    if (!listed.has(destinationId) || (pass.byIds && !existing.has(destinationId))) continue
    // `listDestination` saved it.
    const body = listed.get(destinationId) as ListedBody
    const mapping = mappings.get(sourceId)
    found.set(sourceId, { destinationId, mapping, body, existing: existing.get(destinationId) ?? null })
  }
  return found
}

/**
 * The mappings of the items. Where a copy was deleted, its mapping does not hold: what was made in its place is the
 * counterpart, as a copy would adopt it (B6). That a list does not show a copy proves nothing (G1).
 *
 * @returns with them, the copies that exist as the destination has them, by id
 */
async function mappingsThatHold(
  context: RunContext,
  pass: Pass,
  drafts: Draft[],
): Promise<{ mappings: Map<string, Mapping>; copies: Map<string, unknown> }> {
  const mapped = await context.references.mappings(drafts.map(({ id }) => ({ component: pass.root, sourceId: id })))
  const ids = [...mapped.values()].map(({ destinationId }) => destinationId)
  await findUnlisted(context, pass, ids, { compares: pass.destination.complete })
  const copies = await listedItems(context.database, context.run.id, pass.root, ids)
  const { staysErased, setOnNew } = componentOf(pass.root)
  const staysGone = staysErased || setOnNew !== undefined || pass.createOnly
  const held = [...mapped.values()].filter(({ destinationId }) => staysGone || copies.has(destinationId))
  return { mappings: new Map(held.map((mapping) => [mapping.sourceId, mapping])), copies }
}

async function existingItems(context: RunContext, pass: Pass, ids: string[]): Promise<Map<string, Draft>> {
  if (!pass.byIds) return new Map()
  const items = await itemsByIds(context, 'destination', pass, ids)
  return new Map(items.map((item) => pass.drafts(item, identity)).map((draft) => [draft.id, draft]))
}

/** Finds counterparts by mapping, else by natural key, so that stores copied by other means can be verified, too. */
async function destinationIds(
  context: RunContext,
  pass: Pass,
  drafts: Draft[],
  mappings: ReadonlyMap<string, Mapping>,
): Promise<Map<string, string>> {
  const ids = new Map([...mappings.values()].map((mapping) => [mapping.sourceId, mapping.destinationId]))
  const unmapped = drafts.filter((draft) => !mappings.has(draft.id))
  for (const [id, found] of await foundByKey(context, pass, unmapped)) ids.set(id, found)
  return ids
}

/** Among items of one key, one with the same content comes first. Each gets a counterpart of its own. */
export async function foundByKey(context: RunContext, pass: Pass, drafts: Draft[]): Promise<Map<string, string>> {
  const { database, pair, protection, references, run } = context
  const keysOf = new Map(drafts.map((draft) => [draft, protection.keys(draft)]))
  const byKey = await lookUpKeys(database, run.id, pass.root, [...keysOf.values()].flat())
  const ofParent = ({ parentId }: Draft) => (pass.hasIdOfParent && parentId ? [parentId] : [])
  const candidates = new Map<Draft, string[]>()
  for (const [draft, keys] of keysOf)
    candidates.set(draft, [...keys.flatMap((key) => byKey.get(key) ?? []), ...ofParent(draft)])
  const found = new Map<string, string>()
  if (componentOf(pass.root).shared) {
    for (const [{ id }, [first]] of candidates) if (first !== undefined) found.set(id, first)
    return found
  }
  const all = [...new Set([...candidates.values()].flat())]
  const claims = await claimsOf(database, pair, references.scope(pass.root), pass.root, all)
  const taken = await heldClaims(context, pass, claims)
  const listed = await listedItems(database, run.id, pass.root, all)
  const take = (suits: (draft: Draft, id: string) => boolean) => {
    for (const [draft, some] of candidates) {
      const id = found.has(draft.id) ? undefined : some.find((one) => !taken.has(one) && suits(draft, one))
      if (id === undefined) continue
      found.set(draft.id, id)
      taken.add(id)
    }
  }
  take(({ component, compare }, id) => {
    // `listDestination` saved it.
    const shown = (listed.get(id) as ListedBody | undefined)?.compare
    return shown !== undefined && fieldDifferences(protection.compare(component, compare), shown).length === 0
  })
  take(() => true)
  return found
}

/**
 * Destination ids of copies whose items the source still has. An item that was deleted there and made again takes over
 * the copy of the first one, and the place of a redirect that a run made (B6).
 *
 * @param claims source ids by the ids of their copies
 */
async function heldClaims(context: RunContext, pass: Pass, claims: ReadonlyMap<string, string>): Promise<Set<string>> {
  const existing = await existingInSource(context, pass, [...new Set(claims.values())])
  return new Set([...claims].filter(([, sourceId]) => existing.has(sourceId)).map(([id]) => id))
}
