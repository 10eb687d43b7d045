/**
 * One line of a CSV file (S28). Text is quoted. Text that a spreadsheet would run as a formula gets an apostrophe
 * first, because names come from shops; some spreadsheets also take the wide forms of the four signs for formulas. Lists
 * and objects are written as JSON.
 * Source: RFC 4180; OWASP "CSV Injection".
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const harmless = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

/** The value at a dotted path such as `item.name`; undefined if the item has none. */
export function valueAt(item: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      item,
    )
}
