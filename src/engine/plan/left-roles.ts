import { claimsOf } from '../../db/ledger/mappings.ts'
import type { Role } from '../../entities/core/component.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { MissingReference } from '../../entities/core/references.ts'
import { calledItem } from '../../entities/item-words.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import type { Resolved } from '../core/references.ts'
import { isPlanned, type PageItem, type PlannedItem } from './decision.ts'
import { withoutGone } from './gone-copies.ts'
import type { PagePlan } from './page-facts.ts'

/**
 * Under `skip`, the destination's own items stay as they are: a new item does not take what only one item at a time is from
 * one that the pair did not create.
 */
export async function withRolesLeft(plan: PagePlan, planned: PageItem[]): Promise<PageItem[]> {
  const { context, pass, strategy, adoptOnly } = plan
  if (componentOf(pass.root).roles === undefined || strategy !== 'skip' || adoptOnly) return planned
  return Promise.all(
    planned.map(async (one) => {
      if (!isPlanned(one) || !isBegun(one)) return one
      return { ...one, resolved: { ...one.resolved, draft: await withoutTaken(context, one.resolved.draft) } }
    }),
  )
}

/** Whether this run writes it as a copy of its own, in whole or what it still lacks. */
function isBegun({ decision: { kind } }: PlannedItem): boolean {
  return kind === 'create' || kind === 'continue'
}

/** The draft without the roles that an item has which the pair did not create. */
async function withoutTaken(context: RunContext, draft: Draft): Promise<Draft> {
  let left = draft
  for (const role of componentOf(draft.component).roles ?? []) {
    const holder = draft.body[role.field] === true ? await holderToKeep(context, role, draft) : undefined
    if (holder) left = without(left, role, holder)
  }
  return left
}

/** Drafts of items whose copies are completed late, as this run writes them. */
export async function resolveLate(
  context: RunContext,
  pass: Pass,
  items: PlatformItem[],
): Promise<(Resolved | MissingReference)[]> {
  const resolved = await withoutGone(context, pass, items, await context.references.resolve(pass, items))
  if (context.run.conflictStrategy !== 'skip') return resolved
  return Promise.all(
    resolved.map(async (one) =>
      one instanceof MissingReference ? one : { ...one, draft: await withoutTaken(context, one.draft) },
    ),
  )
}

/** An item of the destination that has the role now and that runs over the pair did not create. */
async function holderToKeep(context: RunContext, role: Role, draft: Draft): Promise<Draft | undefined> {
  const { database, destination, lease, pair, references } = context
  const { component } = draft
  const holders = await role.holders(destination, draft, lease.stop)
  const ids = holders.map(({ id }) => id)
  const claims = await claimsOf(database, pair, references.scope(component), component, ids)
  const copies = await references.mappings([...claims.values()].map((sourceId) => ({ component, sourceId })))
  const isCreated = (id: string) => copies.get(`${component}:${claims.get(id)}`)?.origin === 'created'
  return holders.find(({ id }) => !isCreated(id))
}

const remedy =
  'Nothing to do if the destination’s own should stay. Otherwise run again with `update`, or change it in the control panel of the destination.'

function without(draft: Draft, { field, called }: Role, holder: Draft): Draft {
  const why = `it does not become ${called}, because ${calledItem(holder, 'destination')} is that at the destination, and skip leaves it alone.`
  return {
    ...draft,
    body: { ...draft.body, [field]: false },
    compare: { ...draft.compare, [field]: false },
    withheld: draft.withheld === null ? why : `${draft.withheld} Also, ${why}`,
    remedy,
  }
}
