import { Refusal, v2Error } from '../../http/answers.ts'
import { type FieldRules, readFields } from '../../validation/field-rules.ts'

export type Body = Record<string, unknown>

export function refuseV2(status: number, message: string): never {
  throw new Refusal(v2Error(status, message))
}

/** The body of a v2 call, which must be an object. */
export function v2Body(body: unknown): Body {
  if (!isObject(body)) return refuseV2(400, 'The body must be an object.')
  return body
}

/** Source: the error messages in the published shipping specification. */
export function refuseMissing(required: readonly string[], body: Body): void {
  const missing = required.filter((field) => body[field] === undefined || body[field] === '')
  if (missing.length > 0) refuseV2(400, `Required fields missing [${missing.join(', ')}]`)
}

export function refuseReadOnly(body: Body, field = 'id'): void {
  if (body[field] !== undefined)
    refuseV2(400, `The field '${field}' cannot be written to. Please remove it from your request before trying again.`)
}

export function readV2(rules: FieldRules, body: Body): Body {
  const { values, errors } = readFields(rules, body)
  const complaints = Object.values(errors)
  return complaints.length > 0 ? refuseV2(400, complaints.join('; ')) : values
}

export function isObject(value: unknown): value is Body {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
