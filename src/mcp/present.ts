/** Longer untrusted strings are truncated, with a mark at the end (S17). */
export const longestUntrusted = 500
const cutMark = '... [cut]'

/**
 * An operation's result as a tool returns it: names in snake_case, nulls dropped, strings under `untrusted_` names
 * cleaned.
 */
export function present(value: unknown, untrusted = false): unknown {
  if (typeof value === 'string') return untrusted ? clean(value) : value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map((one) => present(one, untrusted))
  if (typeof value !== 'object' || value === null) return value
  // No prototype, because a store's field may be called __proto__.
  const said: Record<string, unknown> = Object.create(null)
  for (const [key, one] of Object.entries(value))
    if (one !== null && one !== undefined) said[snakeCase(key)] = present(one, untrusted || isUntrusted(key))
  return said
}

export function isUntrusted(key: string): boolean {
  return key.startsWith('untrusted_')
}

/** By name as given. The fields of stores can have any name, so there is a bound. */
const snakeCased = new Map<string, string>()
const mostKept = 1_000

export function snakeCase(key: string): string {
  const known = snakeCased.get(key)
  if (known !== undefined) return known
  const said = toSnakeCase(key)
  if (snakeCased.size < mostKept) snakeCased.set(key, said)
  return said
}

function toSnakeCase(key: string): string {
  if (!/[A-Z]/.test(key)) return key
  return /^[a-z]\w*$/i.test(key) ? key.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (capital) => `_${capital}`).toLowerCase() : key
}

/**
 * Characters that a reader cannot see: control, format (bidi, zero-width, tags), private-use, lone surrogates, line
 * separators, and letters and marks without a glyph.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}/gu
const tags = /<[^>]*>?/g

/** Words of printable ASCII without `<`, with one space between them: nothing in it needs cleaning. */
const ordinary = /^(?:[!-;=-~]+(?: [!-;=-~]+)*)?$/

/** Plain text: no HTML, no invisible characters, one line, bounded length. */
export function clean(given: string): string {
  if (given.length <= longestUntrusted && ordinary.test(given)) return given
  const plain = given
    .slice(0, 20_000)
    .replaceAll(/[\t\r\n]+/g, ' ')
    .replaceAll(invisible, '')
    .replaceAll(tags, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (plain.length <= longestUntrusted) return plain
  return plain.slice(0, longestUntrusted - cutMark.length).replace(/[\uD800-\uDBFF]$/, '') + cutMark
}
