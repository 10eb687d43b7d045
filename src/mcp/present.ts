/** Longer strings of others are cut, and say so (S17). */
export const longestUntrusted = 500
const cutMark = '... [cut]'

/**
 * What an operation answered, as a tool says it: names in snake_case, nothing null, every string under a name that begins with
 * `untrusted_` cleaned.
 */
export function present(value: unknown, untrusted = false): unknown {
  if (typeof value === 'string') return untrusted ? clean(value) : value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map((one) => present(one, untrusted))
  if (typeof value !== 'object' || value === null) return value
  // Without a prototype: a field of a store may be called __proto__.
  const said: Record<string, unknown> = Object.create(null)
  for (const [key, one] of Object.entries(value))
    if (one !== null && one !== undefined) said[snakeCase(key)] = present(one, untrusted || isUntrusted(key))
  return said
}

export function isUntrusted(key: string): boolean {
  return key.startsWith('untrusted_')
}

function snakeCase(key: string): string {
  // Most names are one word.
  if (!/[A-Z]/.test(key)) return key
  return /^[a-z]\w*$/i.test(key) ? key.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (capital) => `_${capital}`).toLowerCase() : key
}

/**
 * Nothing that a reader would not see: control, format (bidi, zero-width, tags), private-use and lone surrogates, line separators,
 * letters and marks without a shape.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}/gu
const tags = /<[^>]*>?/g

/** Plain words: no HTML, nothing invisible, one line, of bounded length. */
export function clean(given: string): string {
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
