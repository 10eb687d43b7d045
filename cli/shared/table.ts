type Cell = string | number

/** Columns are as wide as their widest cell; numbers are right-aligned. */
export function formatTable(header: string[], rows: Cell[][]): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => String(row[column] ?? '').length)),
  )
  const rightward = header.map((_, column) => rows.some((row) => typeof row[column] === 'number'))
  const line = (cells: Cell[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return rightward[column] ? String(cell).padStart(width) : String(cell).padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
