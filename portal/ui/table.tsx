import type { ReactNode } from 'react'

export interface Column<Row> {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  align?: 'right'
  /** On a narrow screen a row is a card: its title, or a line without its header. */
  narrow?: 'title' | 'plain'
  /** The rows are in its order, the highest first. */
  isSorted?: boolean
}

interface Props<Row> {
  caption: string
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  empty: ReactNode
}

/** Plain markup; on a narrow screen the same table reads as cards. */
export function Table<Row>({ caption, columns, rows, rowKey, empty }: Props<Row>) {
  if (rows.length === 0) return empty
  return (
    <table className="table">
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ key, header, align, isSorted }) => (
            <th key={key} scope="col" className={align} aria-sort={isSorted ? 'descending' : undefined}>
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ key, header, cell, align, narrow = '' }) => (
              <td key={key} className={[align, narrow].filter(Boolean).join(' ')} data-header={header}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
