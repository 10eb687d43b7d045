import { Refusal, v2Error } from './answers.ts'
import { type PageOf, pageOf } from './listing.ts'

/** page and limit of a v2 list. Refuses a value that is not a number, in the shape of v2. */
export function v2PageOf(query: URLSearchParams): PageOf {
  const wrong = ['page', 'limit'].find((name) => !/^\d*$/.test(query.get(name) ?? ''))
  if (wrong) throw new Refusal(v2Error(400, `The parameter '${wrong}' must be a number.`))
  return pageOf(query)
}
