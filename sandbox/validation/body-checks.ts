import { batchTooLarge, notFound, Refusal, refuse } from '../http/answers.ts'
import type { SandboxRequest } from '../http/resource.ts'
import type { Row, SandboxStore, Table } from '../store/store.ts'

/** Answers 422 with one message per field, if there are any. The title repeats the messages, as on the platform. */
export function refuseIfAny(errors: Record<string, string>): void {
  if (Object.keys(errors).length > 0) refuse(422, Object.values(errors).join('; '), errors)
}

/** Answers as the platform's newer services do when a body is missing required fields. */
export function refuseJson(missing: string[]): never {
  const errors = Object.fromEntries(missing.map((field) => [field, 'error.path.missing']))
  refuse(422, 'JSON data is missing or invalid', errors)
}

export function refuseOversize(rows: readonly unknown[], max: number): void {
  if (rows.length > max) throw new Refusal(batchTooLarge(max))
}

/** Checks the size of a batch. The limit is not documented; the switch of this name sets one. */
export function refuseBeyondSwitch(store: SandboxStore, name: string, rows: readonly unknown[]): void {
  const most = store.switches[name]
  if (typeof most !== 'number' || rows.length <= most) return
  if (store.switches.batch_refusal === 422) refuse(422, `Max batch size allowed is ${most}`)
  refuseOversize(rows, most)
}

/** The longest list of ids in a filter is not documented; the switch `id_in_max` sets one. */
export function refuseLongFilters({ store, query }: SandboxRequest): void {
  const most = store.switches.id_in_max
  if (typeof most !== 'number') return
  for (const [filter, text] of query) {
    if (filter.endsWith(':in') && text.split(',').length > most)
      refuse(413, `The filter ${filter} takes at most ${most} items.`, { [filter]: 'too many items' })
  }
}

export function objectBody(body: unknown): Record<string, unknown> {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    refuse(400, 'The request body must be an object.')
  // Checked on the line above.
  return body as Record<string, unknown>
}

export function listBody(body: unknown): Record<string, unknown>[] {
  if (!Array.isArray(body)) refuse(422, 'The request body must be an array.')
  return (body as unknown[]).map(objectBody)
}

/** The objects of a list inside a body; empty if there is no list. */
export function rowsIn(body: Record<string, unknown>, field: string): Record<string, unknown>[] {
  const rows = body[field]
  if (rows === undefined || rows === null) return []
  if (!Array.isArray(rows)) refuse(422, `${field} must be an array`, { [field]: `${field} must be an array` })
  return (rows as unknown[]).map(objectBody)
}

export function numberParam(request: SandboxRequest, name: string): number {
  return Number(request.params[name])
}

/** The row named by the path, which must belong to the parent named by the path. */
export function rowOr404(table: Table, id: number, belongsTo: Record<string, unknown> = {}): Row {
  const row = Number.isInteger(id) ? table.get(id) : undefined
  if (!row || Object.entries(belongsTo).some(([field, value]) => row[field] !== value)) throw new Refusal(notFound())
  return row
}
