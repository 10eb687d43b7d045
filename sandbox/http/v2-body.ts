import { Refusal, v2Error } from './answers.ts'

/** A refusal in the shape of v2. */
export function refuseV2(status: number, message: string, details?: Record<string, unknown>): never {
  throw new Refusal(v2Error(status, message, details))
}

export function v2Object(body: unknown): Record<string, unknown> {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) refuseV2(400, 'The body must be an object.')
  // Checked on the line above.
  return body as Record<string, unknown>
}

/** Answers 400 with the errors of all fields, if there are any. */
export function refuseV2IfAny(complaints: Record<string, string>): void {
  const said = Object.values(complaints)
  if (said.length > 0) refuseV2(400, said.join('; '))
}

/** How v2 links to more about an item. */
export function v2Link(resource: string): { url: string; resource: string } {
  return { url: `/v2${resource}`, resource }
}

/** Money in v2: a string with four decimals. */
export function v2Money(value: unknown): string {
  return Number(value ?? 0).toFixed(4)
}

/** A time in the format of mail headers, to the second. */
export function mailDate(moment: Date): string {
  return moment.toUTCString().replace('GMT', '+0000')
}
