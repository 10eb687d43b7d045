import { isDeepStrictEqual } from 'node:util'
import { pickedIds, type Selection } from '../../../contract/selection.ts'
import type { StoreRow } from '../../../db/accounts/stores.ts'
import type { ScopeItem } from '../../../db/runs/scope-items.ts'
import { readStorefrontIds } from '../../../engine/core/storefront-ids.ts'
import { expandSelection } from '../../../engine/scope/expand-selection.ts'
import { pageWidgetsKey } from '../../../entities/content/page-widgets.ts'
import { widgetTemplatesKey } from '../../../entities/content/widget-templates.ts'
import { entities, pickablePasses } from '../../../entities/registry.ts'
import { liveRead, patienceMs } from '../live-read.ts'
import type { Deps } from '../operation.ts'
import { noSuchStorefront } from '../storefront-reader.ts'
import { pickPages, refuseWrongTemplates } from './page-templates.ts'
import { refuseIfAny } from './run-scope.ts'

/** The requested part of a store. */
export interface RequestedScope {
  entities?: string[] | undefined
  selection: Selection
  sourceStorefront: string | null
  destStorefront: string | null
}

interface Stores {
  source: StoreRow
  destination: StoreRow
}

export function isSelective({ selection }: RequestedScope): boolean {
  return !isDeepStrictEqual(selection, {})
}

/**
 * The entities of a run: those named; without names but with picks, the picked ones and everything that must come
 * before; otherwise all.
 *
 * @returns undefined for all
 */
export function entitiesInScope(scope: RequestedScope): string[] | undefined {
  if (scope.entities || !isSelective(scope)) return scope.entities
  const requested = new Set(Object.keys(pickedIds(scope.selection)))
  for (const { key, after } of [...entities].reverse())
    if (requested.has(key)) for (const before of after) requested.add(before)
  // Items that a page displays are only referenced, but the templates of its widgets are copied too.
  return [...requested, ...(scope.selection.pageTemplates ? [widgetTemplatesKey, pageWidgetsKey] : [])]
}

/**
 * @throws ServiceError `validation_failed` by path for picks from entities that cannot be picked or were not requested
 */
export function refuseUnknownPicks({ selection, entities: named }: RequestedScope): void {
  refuseWrongTemplates(selection.pageTemplates, named)
  const known = [...pickablePasses().keys()]
  refuseIfAny(
    Object.fromEntries(
      Object.keys(pickedIds(selection)).flatMap((key) => {
        if (!known.includes(key)) return [[`selection.${key}`, [`Cannot be picked; use ${known.join(', ')}.`]]]
        if (named && !named.includes(key))
          return [[`selection.${key}`, ['Not one of the entities; add it there, or leave out these picks.']]]
        return []
      }),
    ),
  )
}

/**
 * Reads both stores.
 * @throws ServiceError `validation_failed` by path for an id that is not a storefront of its store
 */
export async function refuseUnknownStorefronts(deps: Deps, stores: Stores, scope: RequestedScope): Promise<void> {
  const { sourceStorefront, destStorefront } = scope
  if (sourceStorefront === null || destStorefront === null) return
  const [ours, theirs] = await Promise.all([
    deps.storefronts.has(stores.source, sourceStorefront),
    deps.storefronts.has(stores.destination, destStorefront),
  ])
  const errors: Record<string, string[]> = {}
  if (!ours) errors.sourceStorefront = [noSuchStorefront(stores.source)]
  if (!theirs) errors.destStorefront = [noSuchStorefront(stores.destination)]
  refuseIfAny(errors)
}

/** A call names 250 of them, and a store with the smallest quota takes five calls a second. */
const msPerPick = 0.8

/**
 * The items covered by a selection, read from the source while the caller waits. The run creates nothing else (C4).
 *
 * @returns [] without a selection
 * @throws ServiceError if the source refuses, or does not respond within 10 s and the time that so many picks take. Then
 * no run is created.
 */
export async function readScope(deps: Deps, { source }: Stores, scope: RequestedScope): Promise<ScopeItem[]> {
  if (!isSelective(scope)) return []
  const client = deps.openStore(source, { readOnly: true })
  const picked = pickedIds(scope.selection)
  const picks = Object.values(picked).reduce((sum, { ids }) => sum + ids.length, 0)
  const read = async (signal: AbortSignal) => {
    const storefront =
      scope.sourceStorefront === null ? null : await readStorefrontIds(client, scope.sourceStorefront, signal)
    const pages = await pickPages(client, scope.selection.pageTemplates, { channelId: storefront?.channelId, signal })
    return expandSelection(client, { ...picked, ...pages }, { storefront, signal })
  }
  return liveRead(deps.clock, read, patienceMs + msPerPick * picks)
}
