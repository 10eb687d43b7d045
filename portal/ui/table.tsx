import type { ReactNode } from 'react'

export interface Column<Row> {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  align?: 'right'
  /** How a cell appears on a narrow screen, where each row is a card: as its title, or as a line without its header. */
  narrow?: 'title' | 'plain'
  /** Whether the rows are in the order of this column, the highest first. */
  isSorted?: boolean
}

/** The content of a cell that has nothing to say. Cards leave it out. */
const nothing = '–'

interface Props<Row> {
  caption: string
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  empty: ReactNode
}

/** Capitalises words from within a sentence, such as those of the counters, for use as the header of a column. */
const begun = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

/** Plain markup. On a narrow screen, the same table appears as cards. */
export function Table<Row>({ caption, columns, rows, rowKey, empty }: Props<Row>) {
  if (rows.length === 0) return empty
  return (
    <table className="table">
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ key, header, align, isSorted }) => (
            <th key={key} scope="col" className={align} aria-sort={isSorted ? 'descending' : undefined}>
              {begun(header)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ key, header, cell, align, narrow }) => {
              const shown = cell(row)
              return (
                <td
                  key={key}
                  className={[align, narrow, shown === nothing && 'none'].filter(Boolean).join(' ')}
                  data-header={begun(header)}
                >
                  {shown}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
