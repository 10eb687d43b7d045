import { inScopeAtSource } from '../../db/runs/scope-items.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity, MissingReference } from '../../entities/core/references.ts'
import { componentOf, entities } from '../../entities/registry.ts'
import { namedItems } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import type { Resolved } from '../core/references.ts'
import { isStorefrontRun, markInScope } from '../scope/partial-run.ts'

/** Components of which each storefront has its own items. */
const ofStorefronts = new Set(
  entities
    .filter(({ passes }) => passes.some(({ storefront }) => storefront !== undefined))
    .flatMap(({ components }) => components.map(({ key }) => key)),
)

interface Named {
  component: string
  sourceId: string
}

/**
 * Finds items that would mean something else without items that only other storefronts have: a run over one storefront
 * reports them and leaves them as they are (D3). References to the storefront's own items may be missing as in any run.
 */
export async function leftToOthers(
  context: RunContext,
  pass: Pass,
  items: PlatformItem[],
  resolved: (Resolved | MissingReference)[],
): Promise<(Resolved | MissingReference)[]> {
  // A run over picked items does not read the storefront's other items.
  if (!isStorefrontRun(context) || context.run.selective || !pass.wholeOnly) return resolved
  const missing = resolved.map((one) => missingOf(one).filter(({ component }) => ofStorefronts.has(component)))
  const has = await inScopeOf(context, missing.flat())
  const seen = resolved.map((one, at) => {
    const others = (missing[at] ?? []).filter((named) => !has(named))
    return others.length === 0 ? one : unresolved(pass, items[at] ?? {}, others)
  })
  const left = seen.flatMap((one) => ('leftToOthers' in one ? one.draft.id : []))
  await markInScope(
    context,
    'source',
    left.map((id) => ({ component: leftOf(pass.root), id })),
  )
  return seen
}

/** The component under which they are recorded, for their children, which are read later. */
function leftOf(component: string): string {
  return `${component} left to others`
}

/** Source ids of missing owners that this run has left to others. */
export async function ownersLeft(
  { database, run }: RunContext,
  { below }: Pass,
  resolved: (Resolved | MissingReference)[],
): Promise<Set<string>> {
  const owners = resolved.flatMap((one) =>
    one instanceof MissingReference && one.component === below ? one.sourceId : [],
  )
  if (below === undefined || !isStorefrontRun({ run })) return new Set()
  return new Set((await inScopeAtSource(database, run.id, leftOf(below), owners)).keys())
}

/** Missing references. If they are required, only the first one is known. */
function missingOf(one: Resolved | MissingReference): Named[] {
  if (one instanceof MissingReference) return [{ component: one.component, sourceId: one.sourceId }]
  return namedItems(one.missing, 'reference')
}

async function inScopeOf({ database, run }: RunContext, named: Named[]): Promise<(one: Named) => boolean> {
  const inScope = new Map<string, Map<string, unknown>>()
  for (const [component, ones] of Map.groupBy(named, (one) => one.component)) {
    const ids = [...new Set(ones.map(({ sourceId }) => sourceId))]
    inScope.set(component, await inScopeAtSource(database, run.id, component, ids))
  }
  return ({ component, sourceId }) => inScope.get(component)?.has(sourceId) === true
}

function unresolved(pass: Pass, item: PlatformItem, others: Named[]): Resolved {
  const names = [...Map.groupBy(others, ({ component }) => component)].map(
    ([component, ones]) => `${componentOf(component).label} ${ones.map(({ sourceId }) => sourceId).join(', ')}`,
  )
  const message = `it names ${names.join(' and ')}, which the chosen storefront does not have. It is left to a run over the whole store.`
  const remedy = 'Copy it with a migration of the whole store.'
  const draft = { ...pass.drafts(item, identity), uncreatable: message, remedy }
  return { draft, missing: [], known: new Map(), leftToOthers: true }
}
