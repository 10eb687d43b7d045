/**
 * One line of a CSV file (S28). Text is quoted; what a spreadsheet would take for a formula gets an apostrophe before it, because names
 * come from shops, and whoever opens the file trusts us. Lists and objects are JSON.
 * Source: RFC 4180; OWASP "CSV Injection".
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

/** What lies at `item.name` in an item of a list; undefined where there is no such thing. */
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
