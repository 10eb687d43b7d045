import { saveIssues } from '../../db/ledger/issues.ts'
import { planItems } from '../../db/ledger/ledger.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import { inScopeAtSource } from '../../db/runs/scope-items.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { calledItem } from '../../entities/item-words.ts'
import { namedItems } from '../../model/pending.ts'
import type { OpenRun } from '../context/open-run.ts'
import { isPartialRun, isStorefrontRun } from './partial-run.ts'

/** Reports picked ids that the source does not have, or not on its storefront: one issue each, once per run (C3). */
export async function endGonePicks(context: OpenRun, entity: Entity, pass: Pass, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const where = isStorefrontRun(context)
    ? 'does not exist in the source store, or not on its storefront'
    : 'does not exist in the source store'
  await context.recorder.record(async (tx, tally) => {
    const rows = ids.map((id) => ({
      component: pass.root,
      sourceId: id,
      pass: pass.key,
      rootId: id,
      state: 'skipped' as const,
    }))
    const fresh = await planItems(tx, context.run.id, rows)
    for (const { component } of fresh)
      for (const field of ['discovered', 'skipped', 'warnings'] as const) tally.add(component, field)
    const issues = fresh.map(({ sourceId }) => ({
      phase: entity.key,
      component: pass.root,
      severity: 'warning' as const,
      code: 'source_gone' as const,
      sourceId,
      item: { name: null, sku: null, path: null },
      message: `${calledItem({ component: pass.root, id: sourceId, name: null })} ${where}.`,
    }))
    await saveIssues(tx, context.run, issues)
  })
}

/**
 * Ids of the same component that picked items refer to but that are not in scope. `missing`: references that have no
 * counterpart yet.
 */
export async function namedOutside(context: OpenRun, pass: Pass, missing: string[]): Promise<string[]> {
  if (!context.run.selective || !pass.byIds) return []
  const references = namedItems(missing, 'reference').filter(({ component }) => component === pass.root)
  const named = [...new Set(references.map(({ sourceId }) => sourceId))]
  const inScope = await inScopeAtSource(context.database, context.run.id, pass.root, named)
  return named.filter((id) => !inScope.has(id))
}

/** A partial run completes only what is in its scope. */
export async function mappingsInScope(context: OpenRun, pass: Pass, mappings: Mapping[]): Promise<Mapping[]> {
  if (!isPartialRun(context)) return mappings
  const ids = mappings.map(({ sourceId }) => sourceId)
  const inScope = await inScopeAtSource(context.database, context.run.id, pass.root, ids)
  return mappings.filter(({ sourceId }) => inScope.has(sourceId))
}
