import { inScopeAtSource } from '../../db/runs/scope-items.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity, MissingReference } from '../../entities/core/references.ts'
import { componentOf, entities } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import type { Resolved } from '../core/references.ts'
import { isStorefrontRun, markInScope } from '../scope/run-part.ts'

/** Of these every storefront has its own: the list of one leaves out what others have. */
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
 * Items of the source that mean something else without what only other storefronts have: a run over one storefront says so and
 * leaves them alone (D3). What is missing although the storefront has it is missing as in any run.
 */
export async function leftToOthers(
  context: RunContext,
  pass: Pass,
  items: PlatformItem[],
  resolved: (Resolved | MissingReference)[],
): Promise<(Resolved | MissingReference)[]> {
  // Of picked items nobody knows what else the storefront has.
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

/** Where it is written down, for what hangs on them and is read later. */
function leftOf(component: string): string {
  return `${component} left to others`
}

/** Of what items of another pass hang on and the destination lacks, what the run has left to others: ids at the source. */
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

/** An item that needs something tells the first of what it lacks. */
function missingOf(one: Resolved | MissingReference): Named[] {
  if (one instanceof MissingReference) return [{ component: one.component, sourceId: one.sourceId }]
  return one.missing.flatMap((pending) => {
    const [kind, component = '', sourceId = ''] = pending.split(':')
    return kind === 'reference' ? [{ component, sourceId }] : []
  })
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
  const draft = { ...pass.drafts(item, identity), uncreatable: message }
  return { draft, missing: [], known: new Map(), leftToOthers: true }
}
