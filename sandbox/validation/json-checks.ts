import { refuse } from '../http/answers.ts'

type Kind = 'jsstring' | 'jsnumber' | 'jsboolean' | 'jsarray' | 'jsobject'

/** The type of each field in the channels API. A `?` at the end makes it optional. */
export type JsonFields = Record<string, Kind | `${Kind}?`>

const FITS: Record<Kind, (value: unknown) => boolean> = {
  jsstring: (value) => typeof value === 'string',
  jsnumber: (value) => Number.isInteger(value),
  jsboolean: (value) => typeof value === 'boolean',
  jsarray: (value) => Array.isArray(value),
  jsobject: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** The messages of the channels API for an invalid body. Source: examples of the channels specification. */
export function jsonComplaints(fields: JsonFields, body: unknown, at = ''): Record<string, string> {
  if (!FITS.jsobject(body)) return { [at]: 'error.expected.jsobject' }
  const given = body as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, expected]) => {
      const complaint = complaintAbout(expected, given[field])
      return complaint ? [[at === '' ? field : `${at}.${field}`, complaint]] : []
    }),
  )
}

function complaintAbout(expected: Kind | `${Kind}?`, value: unknown): string | undefined {
  const kind = expected.replace('?', '') as Kind
  if (value === undefined) return expected === kind ? 'error.path.missing' : undefined
  return FITS[kind](value) ? undefined : `error.expected.${kind}`
}

export function refuseInvalidJson(complaints: Record<string, string>): void {
  if (Object.keys(complaints).length > 0) refuse(422, 'JSON data is missing or invalid', complaints)
}

/** The objects of a list, checked for required fields. The caller checks what the fields contain. */
export function listOfObjects(fields: JsonFields, body: unknown): Record<string, unknown>[] {
  if (!Array.isArray(body)) refuse(422, 'JSON data is missing or invalid', { '': 'error.expected.jsarray' })
  const rows = body as unknown[]
  refuseInvalidJson(Object.assign({}, ...rows.map((row, index) => jsonComplaints(fields, row, String(index)))))
  // Checked on the line above.
  return rows as Record<string, unknown>[]
}
