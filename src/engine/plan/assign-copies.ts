import { mappingsOf } from '../../db/ledger/mappings.ts'
import { allStorefronts, type Mapping, type NewMapping, storefrontScope } from '../../db/ledger/store-pair.ts'
import { runsOverWholeStores } from '../../db/runs/runs.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { scopeOf } from '../../entities/registry.ts'
import { formatPending, parsePending } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import { everyDraft } from '../core/pairing.ts'
import type { Resolved } from '../core/references.ts'
import { isStorefrontRun } from '../scope/partial-run.ts'
import { copiesOfOtherRuns } from './copies-of-other-runs.ts'
import type { Decision } from './decide.ts'

type StorefrontOf = Parameters<typeof isStorefrontRun>[0]

/** Children that belong to one storefront: the item's assignment to it. */
export function ownOfStorefront(root: Draft): Draft[] {
  return [...everyDraft(root)].filter((draft) => draft !== root && scopeOf(draft.component) === 'storefront')
}

/** Fields that refer to what only one storefront has, such as an item's categories, or to storefronts. */
export function setsOfStorefront({ sets = [] }: Pass): string[] {
  return sets.filter(({ of, assigns }) => assigns || scopeOf(of) === 'storefront').map(({ field }) => field)
}

/**
 * Those assignments that runs of another extent made, over single storefronts or over the whole store: they are left as they
 * are by now.
 */
export async function assignedEarlier(context: RunContext, assignments: Draft[]): Promise<Mapping[]> {
  const { database, pair } = context
  if (isStorefrontRun(context)) {
    const byComponent = [...Map.groupBy(assignments, ({ component }) => component)]
    const found = byComponent.map(([component, some]) =>
      copiesOfOtherRuns(
        context,
        component,
        some.map(({ id }) => id),
      ),
    )
    return (await Promise.all(found)).flat()
  }
  const requested = assignments.map(({ component, id, body }) => {
    const storefronts = { source: id.slice(id.lastIndexOf(':') + 1), destination: String(body.channel_id) }
    return { component, sourceId: id, scope: storefrontScope(storefronts) }
  })
  return mappingsOf(database, pair, requested)
}

/** The mappings that note which copies of a component runs over the storefront have put on it. */
function placements({ run }: Pick<RunContext, 'run'>, component: string): Pick<Mapping, 'component' | 'scope'> {
  const scope = storefrontScope({ source: run.sourceStorefront, destination: run.destStorefront })
  return { component: `${component} on a storefront`, scope }
}

/**
 * Notes that a copy is on the run's storefront, where the item itself lists its storefronts: once the merchant has removed it
 * there, it stays off.
 */
export function placementOf(context: Pick<RunContext, 'run'>, { sets = [] }: Pass, copy: NewMapping): NewMapping[] {
  if (!isStorefrontRun(context) || !sets.some(({ assigns }) => assigns)) return []
  const unknown = { owed: [], draftChecksum: null, destinationChecksum: null }
  return [{ ...copy, ...placements(context, copy.component), ...unknown, sourceId: copy.destinationId }]
}

/** Which of the copies runs over this storefront have put on it, or runs over the whole store when they made them. */
export async function placedEarlier(context: RunContext, component: string, copies: Mapping[]): Promise<Set<string>> {
  const { database, pair, run } = context
  if (run.sourceStorefront === null || copies.length === 0) return new Set()
  const requested = copies.map(({ destinationId }) => ({ ...placements(context, component), sourceId: destinationId }))
  const [placed, paired] = await Promise.all([
    mappingsOf(database, pair, requested),
    mappingsOf(database, pair, [{ component: 'channels', sourceId: run.sourceStorefront, scope: allStorefronts }]),
  ])
  const isCounterpart = paired.some(({ destinationId }) => destinationId === run.destStorefront)
  const runIds = isCounterpart ? copies.map(({ runId }) => runId) : []
  const ofWholeStore = await runsOverWholeStores(database, pair.organisationId, runIds)
  const made = copies.filter(({ runId }) => ofWholeStore.has(runId))
  return new Set([...placed, ...made].map(({ destinationId }) => destinationId))
}

/** Also assigns an item to the storefront that would otherwise be left as it is, or get only what it lacks. */
export function orAssign(decision: Decision): Decision {
  if (decision.kind === 'continue') return { kind: 'continue', assigns: true }
  return decision.kind === 'matched' || decision.kind === 'skipped' ? { kind: 'assign' } : decision
}

/**
 * References of an item to what only other storefronts have, and to these: a run over one of them adds them to the copy.
 * What has a part of its own for each storefront is assigned instead, with what only that one has.
 */
export function namedElsewhere({ sets = [] }: Pass, root: Draft): string[] {
  const isAssigned = ownOfStorefront(root).length > 0
  const added = sets.filter(({ of }) => !isAssigned || scopeOf(of) === 'store')
  const named = added.flatMap(({ field, of, id }) => {
    const members = root.outside[field] ?? []
    return members.map((one) => ({
      component: of,
      sourceId: String(id === undefined ? one : (one as PlatformItem)[id]),
    }))
  })
  return [...new Set(named.map((one) => formatPending({ kind: 'reference', ...one })))]
}

/** Pending references to items that this run's storefront does not have: another run completes them (D3, C1). */
export function pendingElsewhere(
  context: StorefrontOf,
  mapping: Mapping | undefined,
  { known, missing }: Pick<Resolved, 'known' | 'missing'>,
): string[] {
  if (!isStorefrontRun(context) || !mapping) return []
  return mapping.owed.filter((one) => {
    const pending = parsePending(one)
    return (
      pending.kind === 'reference' && !missing.includes(one) && !known.has(`${pending.component}:${pending.sourceId}`)
    )
  })
}

/** The mapping with only those pending references that this run can complete. */
export function pendingHere(
  context: StorefrontOf,
  mapping: Mapping,
  resolved: Pick<Resolved, 'known' | 'missing'>,
): Mapping {
  const elsewhere = pendingElsewhere(context, mapping, resolved)
  if (elsewhere.length === 0) return mapping
  return { ...mapping, owed: mapping.owed.filter((one) => !elsewhere.includes(one)) }
}
