import type { Row, Table } from '../store/store.ts'

export function deleteRows(table: Table, where: Parameters<Table['find']>[0]): void {
  for (const row of table.find(where)) table.delete(row.id)
}

/** Groups rows by a field. Each group is in order of ascending ids. */
export function groupBy(rows: Row[], field: string): Map<unknown, Row[]> {
  return Map.groupBy(rows, (row) => row[field])
}

export function bySortOrder(left: Row, right: Row): number {
  return Number(left.sort_order ?? 0) - Number(right.sort_order ?? 0) || left.id - right.id
}
