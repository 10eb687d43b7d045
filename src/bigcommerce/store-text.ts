/** A half of a pair that stands alone, as where a text was cut at a number of units; and the character that no text column takes. */
const broken = /\\ud[89ab][0-9a-f]{2}(?!\\ud[c-f][0-9a-f]{2})|(?<!\\ud[89ab][0-9a-f]{2})\\ud[c-f][0-9a-f]{2}|\\u0000/i
const nul = String.fromCharCode(0)

/**
 * Parses JSON of a store so that every text in it can be stored and sent: half a character becomes the replacement character, as
 * it is shown everywhere, and NUL is left out. Both stores are read so, and a copy that holds the whole text compares equal.
 *
 * @throws SyntaxError where it is not JSON.
 */
export function parseStoreJson(json: string): unknown {
  return json.includes('\\u') && broken.test(json)
    ? JSON.parse(json, (_name, value) => wholeValue(value))
    : JSON.parse(json)
}

/** @returns the text with whole characters only. */
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
