import { csvLine, valueAt } from './csv.ts'

/** How a list is a file: a table whose columns are paths in its items, or each item as a line of JSON. */
export type FileFormat = { csv: readonly string[] } | 'ndjson'

/** Source: RFC 4180; NDJSON has no registered type, this is the one its description names. */
export const mediaTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

export function mediaTypeOf(format: FileFormat): (typeof mediaTypes)[keyof typeof mediaTypes] {
  return format === 'ndjson' ? mediaTypes.ndjson : mediaTypes.csv
}

export interface Page {
  items: unknown[]
  nextCursor: string | null
}

/** A list as lines, of a table its columns' names first; each page is asked for when the one before it has gone. */
export async function* linesOf(
  format: FileFormat,
  first: Page,
  next: (cursor: string) => Promise<Page>,
): AsyncGenerator<string> {
  if (format !== 'ndjson') yield csvLine(format.csv)
  for (let page: Page = first; ; page = await next(page.nextCursor)) {
    yield page.items.map((item) => lineOf(format, item)).join('')
    if (page.nextCursor === null) return
  }
}

function lineOf(format: FileFormat, item: unknown): string {
  return format === 'ndjson' ? `${JSON.stringify(item)}\n` : csvLine(format.csv.map((column) => valueAt(item, column)))
}
