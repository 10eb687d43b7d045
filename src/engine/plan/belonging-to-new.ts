import { listedItems, lookUpKeys } from '../../db/ledger/destination-items.ts'
import { claimsOf, createdAll } from '../../db/ledger/mappings.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import { runsWithPhase } from '../../db/runs/run-phases.ts'
import { type StartedRow, startedStock } from '../../db/side-effects/started-stock.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { MissingReference } from '../../entities/core/references.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { namesIn, type Resolved } from '../core/references.ts'
import { isSimulated } from '../core/simulated-id.ts'
import type { ListedBody } from '../read/destination-lister.ts'
import { hasListForEach } from '../read/lists-in-parts.ts'

/**
 * Whether the destination's items of a pass all belong to what this run created, or to nothing that it copies, so that
 * their list need not be read. They are written whatever they are, or there are none yet.
 */
export async function belongsToNewOnly(
  { database, pair, references, run }: RunContext,
  { key: phase }: Entity,
  pass: Pass,
): Promise<boolean> {
  if (run.mode !== 'full' || !run.phases.includes(phase)) return false
  const { root, below } = pass
  const { setOnNew } = componentOf(root)
  // `replace` deletes what only the destination has.
  const areEmpty = hasListForEach(pass) && run.conflictStrategy !== 'replace'
  const owners = setOnNew ?? (areEmpty && below !== undefined ? [below] : undefined)
  if (!owners) return false
  const components = [...owners, root].map((component) => ({ scope: references.scope(component), component }))
  return createdAll(database, pair, run.id, components, { withinMs: setOnNew ? null : emptyForMs })
}

/** How long the lists of what was just created count as empty. Later, the shop may have added something. */
const emptyForMs = 10 * 60_000

/** An item that came into being with its owner (stock), and the copies of its owners, the closest first. */
interface Owned {
  draft: Draft
  owners: Mapping[]
  /** In a dry run: it belongs to something that does not exist yet, such as a new location. */
  isOfNew: boolean
}

/** Those of a page. */
export function ownedOnPage(pass: Pass, items: PlatformItem[], resolved: (Resolved | MissingReference)[]): Owned[] {
  const { setOnNew } = componentOf(pass.root)
  if (!setOnNew) return []
  return items.flatMap((item, at) => {
    const one = resolved[at] as Resolved | MissingReference
    if (one instanceof Error) return []
    const names = new Map(namesIn(pass, item).map(({ component, sourceId }) => [component, `${component}:${sourceId}`]))
    const owners = setOnNew.flatMap((owner) => one.known.get(names.get(owner) ?? '') ?? [])
    const isOfNew = [...names.values()].some((name) => isSimulated(one.known.get(name)?.destinationId ?? ''))
    return [{ draft: one.draft, owners, isOfNew }]
  })
}

/**
 * Items that came into being with their owner (stock) and are not copied yet, if the run that created the owner covers
 * this phase: they are written as if they were new. After a run without this phase, the shop may have changed them (D1),
 * and so it may those of an owner that an earlier run created, which count as new only if that run did not set them.
 *
 * @param copied the mapped ones, by source id
 */
export async function belongingToNew(
  context: RunContext,
  { key: phase }: Entity,
  pass: Pass,
  owned: Owned[],
  copied: ReadonlyMap<string, unknown>,
): Promise<Set<string>> {
  const { database, pair, run } = context
  const made = owned.flatMap((one) => {
    if (copied.has(one.draft.id)) return []
    const [owner] = one.owners
    // What this run mapped of an older product may have taken over the copy of another one.
    const isOwn = one.owners.every(({ runId }) => runId === run.id)
    return owner?.origin === 'created' ? [{ ...one, runId: owner.runId, isOwn }] : []
  })
  const others = new Set(made.map(({ runId }) => runId).filter((id) => id !== run.id))
  const runs = await runsWithPhase(database, pair, [...others], phase)
  if (run.phases.includes(phase)) runs.add(run.id)
  const withPhase = made.filter(({ runId }) => runs.has(runId))
  const [own = [], earlier = []] = [true, false].map((is) => withPhase.filter(({ isOwn }) => isOwn === is))
  return new Set([...own, ...(await leftUnset(context, pass, earlier))].map(({ draft }) => draft.id))
}

/**
 * Items that came into being with their owner (stock), and are copies already of what the source has deleted: the owner has
 * taken over such a copy, and the shop has changed them since (D1).
 *
 * @param copied the mapped ones, by source id
 */
export async function takenOver(
  { database, pair, references, run }: RunContext,
  { root }: Pass,
  owned: Owned[],
  copied: ReadonlyMap<string, Mapping>,
): Promise<Set<string>> {
  const { idByOwner } = componentOf(root)
  const ids = owned.flatMap(({ draft, owners }) => {
    const id = idByOwner?.(draft)
    const isOlder = owners.some(({ runId }) => runId !== run.id)
    if (id === undefined || !isOlder || copied.get(draft.id)?.destinationId === id) return []
    return [{ sourceId: draft.id, id }]
  })
  const claims = await claimsOf(
    database,
    pair,
    references.scope(root),
    root,
    ids.map(({ id }) => id),
  )
  return new Set(ids.filter(({ id }) => claims.has(id)).map(({ sourceId }) => sourceId))
}

/**
 * Levels that an earlier run was to set and did not: its record of what new items started with has them, or the
 * destination has nothing in stock there, so that nothing of the shop's own is overwritten.
 */
async function leftUnset(
  { database, pair, protection, run }: RunContext,
  { root }: Pass,
  owned: Owned[],
): Promise<Owned[]> {
  if (owned.length === 0) return []
  const { sideEffects } = componentOf(root)
  const levelOf = (draft: Draft) => sideEffects?.level?.(draft)
  const drafts = owned.map(({ draft }) => draft)
  const keys = new Map(drafts.map((draft) => [draft, protection.keys(draft)]))
  const [rows, there] = await Promise.all([
    startedStock(database, pair, [...new Set(drafts.flatMap((draft) => levelOf(draft)?.productId ?? []))]),
    lookUpKeys(database, run.id, root, [...keys.values()].flat()),
  ])
  const listed = await listedItems(database, run.id, root, [...new Set([...there.values()].flat())])
  const isStocked = (id: string) => (listed.get(id) as ListedBody | undefined)?.inStock === true
  // What the destination does not count has no level there, and `skip` leaves it uncounted.
  const beginsToCount = run.conflictStrategy !== 'skip'
  return owned.filter(({ draft, isOfNew }) => {
    const level = levelOf(draft)
    const isStarted = ({ productId, variantId }: StartedRow) =>
      productId === level?.productId && variantId === level.variantId
    const ids = (keys.get(draft) ?? []).flatMap((key) => there.get(key) ?? [])
    return rows.some(isStarted) || (ids.length === 0 ? beginsToCount || isOfNew : !ids.some(isStocked))
  })
}
