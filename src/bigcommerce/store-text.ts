/** Lone surrogates, as in texts cut inside a character, and NUL, which no text column accepts. */
const broken = /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f][0-9a-f]{2})|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}|\\u0000/i
const nul = String.fromCharCode(0)

/**
 * Parses JSON from a store and makes every string in it storable: a lone surrogate becomes the replacement character,
 * and NUL is removed. Both stores are read this way, so a copy of such a string compares equal.
 *
 * @throws SyntaxError when it is not JSON.
 */
export function parseStoreJson(json: string): unknown {
  return json.includes('\\u') && broken.test(json)
    ? JSON.parse(json, (_name, value) => wholeValue(value))
    : JSON.parse(json)
}

/** @returns the text without lone surrogates. */
export function wholeText(text: string): string {
  return text.toWellFormed().replaceAll(nul, '')
}

function wholeValue(value: unknown): unknown {
  if (typeof value === 'string') return wholeText(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const names = Object.keys(value)
  if (names.every((name) => wholeText(name) === name)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [wholeText(name), one]))
}
