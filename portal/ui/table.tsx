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

/** What a cell holds that has nothing to say. A card leaves it out. */
const nothing = '–'

interface Props<Row> {
  caption: string
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  empty: ReactNode
}

/** Words of a sentence, such as those of the counters, as the title of a column. */
const begun = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

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
