import type { Row, Table, Where } from '../store/store.ts'
import { noContent, Refusal, v2Error } from './answers.ts'
import type { SandboxAnswer } from './resource.ts'
import { v2PageOf } from './v2-page.ts'

/**
 * A v2 list that also accepts `min_id` and `max_id`. The answer is a bare array, or no content once there are no more
 * rows.
 */
export function v2ListOf(
  query: URLSearchParams,
  table: Table,
  where: Where,
  show: (row: Row) => Record<string, unknown>,
  not: Record<string, string[]> = {},
): SandboxAnswer {
  const { offset, limit } = v2PageOf(query)
  const range = { minId: idOf(query, 'min_id'), maxId: idOf(query, 'max_id') }
  const { rows } = table.page({ where, not, ...range, offset, limit, descending: query.get('direction') === 'desc' })
  return rows.length === 0 ? noContent() : { status: 200, body: rows.map(show) }
}

/** Refuses the call if a bound is not a number. */
export function refuseNoNumbers(query: URLSearchParams): void {
  for (const name of ['min_id', 'max_id']) idOf(query, name)
}

function idOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^\d+$/.test(text)) throw new Refusal(v2Error(400, `The parameter '${name}' must be a number.`))
  return Number(text)
}

/** The filters of a call on indexed fields. Those that end in `_key` ignore case. */
export function filtersIn(query: URLSearchParams, fields: Record<string, string>): Where {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([parameter, field]) => {
      const text = query.get(parameter)
      return text === null ? [] : [[field, field === 'id' || field.endsWith('_id') ? Number(text) : text]]
    }),
  )
}
