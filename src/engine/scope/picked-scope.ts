import { inScopeAtSource, type Reason, scopedIds } from '../../db/runs/scope-items.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import type { OpenRun } from '../context/open-run.ts'
import { namedBy } from '../core/references.ts'
import { isPartialRun } from './partial-run.ts'

/** Whether the pass reads the picked items and those they need instead of its whole list. */
export function readsPicks({ run }: Pick<OpenRun, 'run'>, { picks }: Pass): boolean {
  return run.selective && picks !== undefined
}

/**
 * The next picked ids of a pass, in ascending order. A verify compares picks only: `skip` may have left the needed ones
 * alone.
 */
export function nextPicks(context: OpenRun, { root, picks }: Pass, after: string, limit: number): Promise<string[]> {
  const both = context.run.mode !== 'verify' && picks?.of === undefined
  const reasons: Reason[] = both ? ['picked', 'needed'] : ['picked']
  return scopedIds(context.database, context.run.id, { component: picks?.of ?? root, reasons, after, limit })
}

/** Ids of the items that picks need and that are not compared, page by page. */
export async function* needed({ database, run }: OpenRun, { root, picks, source }: Pass): AsyncGenerator<string[]> {
  if (!run.selective || !picks || picks.of !== undefined) return
  for (let after = ''; ; ) {
    const page = { component: root, reasons: ['needed'] as const, after, limit: source.limit }
    const ids = await scopedIds(database, run.id, page)
    const last = ids.at(-1)
    if (last === undefined) return
    after = last
    yield ids
  }
}

/** The items that belong to something in scope, out of a list that cannot be read by ids. */
export async function belowInScope(context: OpenRun, pass: Pass, items: PlatformItem[]): Promise<PlatformItem[]> {
  const { below } = pass
  if (!isPartialRun(context) || below === undefined || pass.picks) return items
  const owner = (item: PlatformItem) => namedBy(pass, item, below)[0] ?? ''
  const owners = await inScopeAtSource(context.database, context.run.id, below, items.map(owner))
  const counts = (why: Reason | 'met' | undefined) =>
    why !== undefined && (why !== 'needed' || context.run.mode !== 'verify')
  return items.filter((item) => counts(owners.get(owner(item))))
}

/**
 * Ids of items on the page that were not picked but are needed by picks, and of the children of such items. If they
 * exist already, they are never changed.
 */
export async function onlyNeeded(context: OpenRun, pass: Pass, items: PlatformItem[]): Promise<Set<string>> {
  if (!context.run.selective) return new Set()
  const idOf = (item: PlatformItem) => String(item[pass.source.idField])
  const component = pass.below ?? pass.root
  const ownerOf = (item: PlatformItem) => (pass.below ? (namedBy(pass, item, pass.below)[0] ?? '') : idOf(item))
  const inScope = await inScopeAtSource(context.database, context.run.id, component, items.map(ownerOf))
  return new Set(items.filter((item) => inScope.get(ownerOf(item)) === 'needed').map(idOf))
}
