import { printable } from './printable.ts'
import { shorten, widthOfText } from './text-width.ts'

export type Cell = string | number | null

interface TableOptions {
  /** Columns of the terminal; undefined: no limit, for files and pipes. */
  width?: number | undefined
  /** Titles of the columns that are cut if the table is wider than that. Ids and numbers are never cut. */
  cut?: string[]
  /** Titles of the columns that are left out if cutting is not enough, the first one first. */
  drop?: string[]
}

const gap = 2
/** A shorter text would not be readable. */
const narrowest = 8

/** Columns are as wide as their widest cell; numbers are right-aligned, and a missing value is a dash. */
export function formatTable(
  header: string[],
  rows: Cell[][],
  { width = Number.POSITIVE_INFINITY, cut = [], drop = [] }: TableOptions = {},
): string {
  const columns = header.map((title, at) =>
    columnOf(
      title,
      rows.map((row) => row[at]),
      cut.includes(title),
    ),
  )
  const shown = fitting(columns, drop, width)
  const line = (cell: (column: Column) => string) => shown.map(cell).join(' '.repeat(gap)).trimEnd()
  return [
    line((column) => aligned(column, column.title)),
    line(({ width: most }) => '-'.repeat(most)),
    ...rows.map((_, row) => line((column) => aligned(column, column.texts[row] ?? ''))),
  ].join('\n')
}

interface Column {
  title: string
  texts: string[]
  width: number
  rightward: boolean
  mayCut: boolean
}

function columnOf(title: string, cells: (Cell | undefined)[], mayCut: boolean): Column {
  const texts = cells.map(textOf)
  const width = texts.reduce((most, text) => Math.max(most, widthOfText(text)), title.length)
  return { title, texts, width, rightward: cells.some((cell) => typeof cell === 'number'), mayCut }
}

function aligned({ width, rightward }: Column, text: string): string {
  const shown = rightward ? text : shorten(text, width)
  const space = ' '.repeat(Math.max(0, width - widthOfText(shown)))
  return rightward ? space + shown : shown + space
}

function textOf(cell: Cell | undefined): string {
  return cell === null || cell === undefined ? '-' : printable(String(cell))
}

function totalOf(columns: Column[]): number {
  return columns.reduce((sum, { width }) => sum + width, 0) + gap * (columns.length - 1)
}

/** Cuts first, then drops columns; a dropped column leaves its space to the others. */
function fitting(columns: Column[], drop: string[], width: number): Column[] {
  const [first, ...later] = drop
  const narrowed = narrow(columns, width)
  if (first === undefined || totalOf(narrowed) <= width) return narrowed
  return fitting(
    columns.filter(({ title }) => title !== first),
    later,
    width,
  )
}

/** Narrows the widest column that may be cut until the table fits, or until no column can be narrowed further. */
function narrow(columns: Column[], width: number): Column[] {
  const narrowed = columns.map((column) => ({ ...column }))
  const mayCut = narrowed.filter((column) => column.mayCut)
  while (totalOf(narrowed) > width) {
    const [widest] = mayCut.toSorted((one, other) => other.width - one.width)
    if (!widest || widest.width <= narrowest) break
    widest.width -= 1
  }
  return narrowed
}
