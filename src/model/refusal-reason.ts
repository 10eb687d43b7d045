/** The platform's response to a refused write. */
interface Refused {
  httpStatus: number
  title: string
  errors: Readonly<Record<string, string>>
}

/** The platform's own words. Never empty, even for a response without a text. */
export function platformWords({ httpStatus, title, errors }: Refused): string {
  const details = Object.entries(errors).map(([field, message]) => `${field}: ${message}`)
  const words = [title, ...details].filter((text) => text.trim() !== '').join('; ')
  return words === '' ? `${answered(httpStatus)}, without a reason` : words.replace(/\.$/, '')
}

/**
 * Our words for a refusal of a personal or secret item, because the platform's message may repeat what it was sent
 * (S9).
 * @param body of the item: a field is mentioned only if the body has it
 */
export function ownWords({ httpStatus, title, errors }: Refused, body: unknown): string {
  const cause = causeOf({ title, errors })
  const fields = refusedFields({ errors }, body)
  const at = fields.length > 0 ? ` (${fields.join(', ')})` : ''
  return `${answered(httpStatus)}, ${cause ?? 'the reason is not one that can be shown'}${at}`
}

/** The reason in our words; undefined if it is not recognised. */
export function causeOf({ title, errors }: Pick<Refused, 'title' | 'errors'>): string | undefined {
  const said = [title, ...Object.values(errors)].join(' ')
  return causes.find(([pattern]) => pattern.test(said))?.[1]
}

/** The refused fields that the item has: other keys may be texts that were sent (S9). */
export function refusedFields({ errors }: Pick<Refused, 'errors'>, body: unknown): string[] {
  const known = fieldsIn(body)
  return Object.keys(errors).filter((field) => {
    const parts = field.split('.')
    return parts.every((part) => isKnown(part, known)) && parts.some((part) => known.has(part))
  })
}

function answered(httpStatus: number): string {
  return httpStatus === 0 ? 'no answer' : `HTTP ${httpStatus}`
}

export const noCurrency = 'the store does not have its currency'
export const nothingThere = 'something that it refers to does not exist there'

/** The first match wins, so more specific patterns come first. */
const causes: readonly (readonly [RegExp, string])[] = [
  [/\b(no|unknown|unsupported) currency\b|\bcurrency\b.*\b(not|n't) (found|exist|available|supported)/i, noCurrency],
  [/stock|inventory/i, 'there is not enough in stock'],
  [/already|duplicate|unique|in use|exists/i, 'the store already has one like it'],
  [/not found|does ?n.t exist|no such|there is no/i, nothingThere],
  [/too (long|many|large)|exceed|at most|maximum|no more than/i, 'a value is beyond a limit'],
  [/at least|minimum|too (short|small|few)/i, 'a value is below a limit'],
  [/required|mandatory|missing|blank|empty/i, 'something required is missing'],
  [
    /invalid|not valid|unknown|not known|must be|not allowed|not supported|incorrect|malformed/i,
    'a value is not valid',
  ],
  [/permission|scope|forbidden|unauthori[sz]ed/i, 'the token may not do this'],
]

function fieldsIn(value: unknown, into = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const one of value) fieldsIn(one, into)
  else if (value !== null && typeof value === 'object')
    for (const [field, one] of Object.entries(value)) {
      into.add(field)
      fieldsIn(one, into)
    }
  return into
}

/** A field of the item, or a position in a list. */
function isKnown(part: string, known: ReadonlySet<string>): boolean {
  return known.has(part) || /^\d{1,3}$/.test(part)
}
