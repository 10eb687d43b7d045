import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { Side } from '../../db/runs/scope-items.ts'
import type { Entity } from '../../entities/core/entity.ts'
import { componentOf } from '../../entities/registry.ts'

/**
 * The warning for a list that may lack items: as many as the platform counts but did not show, or an unknown number if
 * 0 (C3, G2).
 */
export function sourceChanged(entity: Entity, component: string, missing: number, store: Side): IssueToWrite {
  const { label } = componentOf(component)
  const why =
    missing > 0
      ? `the ${store} store counts ${missing} more than it listed, even when it was read again.`
      : `the list of the ${store} store changed every time it was read, so some may be missing.`
  return {
    phase: entity.key,
    component,
    severity: 'warning',
    code: 'source_changed',
    message: `${label}: ${why}`,
    // The lists of both stores may be short.
    sourceId: store === 'source' ? '' : store,
    item: { name: null, sku: null, path: null },
  }
}
