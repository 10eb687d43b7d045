import { claimsOf } from '../../db/ledger/mappings.ts'
import type { Draft } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { existingByIds } from '../read/by-ids.ts'
import type { ListedBody } from '../read/destination-lister.ts'
import type { Candidate } from './decide.ts'

/** A destination item with a key of a draft, and its listed state. */
export type KeyMatch = Omit<Candidate, 'listed'> & { body: ListedBody | undefined }

/** Destination items with a key of each draft, looked up now, by the draft's id. */
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

async function keyMatchesOfOne(context: RunContext, pass: Pass, draft: Draft, compares: boolean): Promise<KeyMatch[]> {
  const { database, pair, protection, references } = context
  const component = componentOf(draft.component)
  if ((component.recovery !== 'key' && !component.platformCreated) || !component.probe) return []
  const sought = { keys: [draft.keys], parentIds: [draft.parentId ?? ''] }
  const keys = protection.keys(draft)
  const existing = (await component.probe(context.destination, sought)).filter((one) =>
    protection.keys(one).some((key) => keys.includes(key)),
  )
  const ids = [...new Set(existing.map(({ id }) => id))]
  const claims = await claimsOf(database, pair, references.scope(component.key), component.key, ids)
  const bodies = compares ? await existingByIds(context, pass, ids, { compares }) : new Map<string, ListedBody>()
  return ids.map((id) => ({
    destinationId: id,
    keys: protection.keys(existing.find((one) => one.id === id) as Draft),
    claimedBy: claims.get(id),
    body: bodies.get(id),
  }))
}
