import { listedItems, lookUpKeys } from '../../db/ledger/destination-items.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity } from '../../entities/core/references.ts'
import type { RunContext } from '../context/context.ts'
import { itemsByIds } from '../read/by-ids.ts'
import type { ListedBody } from '../read/destination-lister.ts'

interface Counterpart {
  destinationId: string
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
  const ids = await destinationIds(context, pass, drafts)
  const listed = await listedItems(context.database, context.run.id, pass.root, [...ids.values()])
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
    found.set(sourceId, { destinationId, body, existing: existing.get(destinationId) ?? null })
  }
  return found
}

async function existingItems(context: RunContext, pass: Pass, ids: string[]): Promise<Map<string, Draft>> {
  if (!pass.byIds) return new Map()
  const items = await itemsByIds(context, 'destination', pass, ids)
  return new Map(items.map((item) => pass.drafts(item, identity)).map((draft) => [draft.id, draft]))
}

/** Finds counterparts by mapping, else by natural key, so that stores copied by other means can be verified, too. */
async function destinationIds(context: RunContext, pass: Pass, drafts: Draft[]): Promise<Map<string, string>> {
  const { references, database, run, protection } = context
  const mappings = await references.mappings(drafts.map(({ id }) => ({ component: pass.root, sourceId: id })))
  const unmapped = drafts.filter((draft) => !mappings.has(`${pass.root}:${draft.id}`))
  const requested = unmapped.flatMap((draft) => protection.keys(draft))
  const keys = await lookUpKeys(database, run.id, pass.root, requested)
  const ids = new Map([...mappings.values()].map((mapping) => [mapping.sourceId, mapping.destinationId]))
  for (const draft of unmapped) {
    const hit = protection.keys(draft).flatMap((key) => keys.get(key) ?? [])[0]
    if (hit) ids.set(draft.id, hit)
  }
  return ids
}
