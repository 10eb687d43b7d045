import { specs } from '../entities/specs/all-specs.ts'
import type { TableRules } from './table-rule.ts'

/** Parents and all that is referred to come first. */
export const tableRules: readonly TableRules[] = inOrder(specs.flatMap(({ tables = [] }) => tables))

function inOrder(rules: readonly TableRules[]): TableRules[] {
  const ordered = new Set<TableRules>()
  const path = new Set<TableRules>()
  const add = (rule: TableRules): void => {
    if (ordered.has(rule) || path.has(rule)) return
    path.add(rule)
    for (const table of Object.values(rule.references)) {
      const referred = rules.find((one) => one.table === table)
      if (referred) add(referred)
    }
    path.delete(rule)
    ordered.add(rule)
  }
  for (const rule of rules) add(rule)
  return [...ordered]
}
