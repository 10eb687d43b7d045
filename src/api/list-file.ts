import { csvLine, valueAt } from './csv.ts'

/** How a list is written to a file: as a table whose columns are paths in the items, or one line of JSON per item. */
export type FileFormat = { csv: readonly string[] } | 'ndjson'

/** Source: RFC 4180. NDJSON has no registered type; this is the one its specification uses. */
export const mediaTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

export function mediaTypeOf(format: FileFormat): (typeof mediaTypes)[keyof typeof mediaTypes] {
  return format === 'ndjson' ? mediaTypes.ndjson : mediaTypes.csv
}

export interface Page {
  items: unknown[]
  nextCursor: string | null
}

/** A list as lines; a table begins with its column names. Each page is read once the previous one has been sent. */
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
