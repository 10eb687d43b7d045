import type { IssueToWrite } from '../../db/ledger/issues.ts'
import type { Entity } from '../../entities/core/entity.ts'
import { componentOf } from '../../entities/registry.ts'

/** The warning for a list that gave fewer items than the platform counts (C3). */
export function sourceChanged(entity: Entity, component: string, missing: number): IssueToWrite {
  const { label } = componentOf(component)
  return {
    phase: entity.key,
    component,
    severity: 'warning',
    code: 'source_changed',
    message: `${label}: the source store counts ${missing} more than it listed, even when it was read again.`,
    sourceId: '',
    item: { name: null, sku: null, path: null },
  }
}
