/**
 * What the platform accepts in a field. `fallback` is stored if a create leaves the field out; if there is no fallback,
 * the row does not get the field.
 */
export interface FieldRule {
  kind: 'text' | 'number' | 'integer' | 'boolean' | 'integers' | 'texts' | 'date'
  fallback?: unknown
  min?: number
  max?: number
  oneOf?: readonly string[]
  nullable?: boolean
}

export type FieldRules = Record<string, FieldRule>

interface ReadFields {
  values: Record<string, unknown>
  errors: Record<string, string>
}

/** Amounts and measures have four decimals, as on the platform. */
export function fourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

/** Reads the fields for which there is a rule. Unknown and read-only fields are silently dropped. */
export function readFields(rules: FieldRules, body: Record<string, unknown>): ReadFields {
  const read: ReadFields = { values: {}, errors: {} }
  for (const [field, rule] of Object.entries(rules)) {
    if (body[field] === undefined) continue
    const complaint = complaintAbout(rule, body[field])
    if (complaint) read.errors[field] = `${field} ${complaint}`
    else read.values[field] = stored(rule, body[field])
  }
  return read
}

export function withFallbacks(rules: FieldRules, values: Record<string, unknown>): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [field, rule] of Object.entries(rules)) {
    if (values[field] !== undefined) row[field] = values[field]
    else if (rule.fallback !== undefined) row[field] = structuredClone(rule.fallback)
  }
  return row
}

export function complaintsAboutMissing(
  fields: readonly string[],
  body: Record<string, unknown>,
): Record<string, string> {
  const missing = fields.filter((field) => body[field] === undefined || body[field] === null || body[field] === '')
  return Object.fromEntries(missing.map((field) => [field, `${field} is required`]))
}

function stored(rule: FieldRule, value: unknown): unknown {
  if (rule.kind === 'number' && value !== null) return fourDecimals(Number(value))
  return value
}

function complaintAbout(rule: FieldRule, value: unknown): string | undefined {
  if (value === null) return rule.nullable ? undefined : 'must not be null'
  if (rule.kind === 'boolean') return typeof value === 'boolean' ? undefined : 'must be a boolean'
  if (rule.kind === 'integers') return isListOf('number', value) ? tooLong(rule, value) : 'must be an array of integers'
  if (rule.kind === 'texts') return isListOf('string', value) ? tooLong(rule, value) : 'must be an array of strings'
  if (rule.kind === 'date') return Number.isNaN(Date.parse(String(value))) ? 'must be a date' : undefined
  return rule.kind === 'text' ? complaintAboutText(rule, value) : complaintAboutNumber(rule, value)
}

function isListOf(type: 'number' | 'string', value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every((item) => typeof item === type)
}

function tooLong(rule: FieldRule, value: unknown[]): string | undefined {
  return rule.max !== undefined && value.length > rule.max ? `must have at most ${rule.max} items` : undefined
}

function complaintAboutText(rule: FieldRule, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string'
  if (rule.oneOf && !rule.oneOf.includes(value)) return `must be one of: ${rule.oneOf.join(', ')}`
  if (rule.min !== undefined && value.length < rule.min) return `must have at least ${rule.min} characters`
  if (rule.max !== undefined && value.length > rule.max) return `must have at most ${rule.max} characters`
  return undefined
}

/** Also accepts numbers as strings (our choice, because published clients send prices that way). */
function complaintAboutNumber(rule: FieldRule, value: unknown): string | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return 'must be a number'
  if (rule.kind === 'integer' && !Number.isInteger(number)) return 'must be an integer'
  if (rule.min !== undefined && number < rule.min) return `must be at least ${rule.min}`
  if (rule.max !== undefined && number > rule.max) return `must be at most ${rule.max}`
  return undefined
}
