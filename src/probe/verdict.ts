import { errorsOf, titleOf } from '../bigcommerce/errors.ts'
import type { Judge, Step, StepAnswer } from './call.ts'

/**
 * How an answer compares with what we know: as the published files say, as real stores were seen to answer, or neither.
 */
export type Verdict = 'as documented' | 'as seen' | 'new'

/** A behaviour of which nothing is known is new, whatever the answer. */
export function verdictOn({ documented, seen }: Pick<Step, 'documented' | 'seen'>, answers: StepAnswer[]): Verdict {
  if (documented?.(answers)) return 'as documented'
  return seen?.(answers) ? 'as seen' : 'new'
}

type Test = (answer: StepAnswer) => boolean

/** All tests must hold for the last answer, which is the one the step is about. */
export function last(...tests: Test[]): Judge {
  return (answers) => {
    const answer = answers.at(-1)
    return answer !== undefined && tests.every((holds) => holds(answer))
  }
}

export const anyOf =
  (...judges: Judge[]): Judge =>
  (answers) =>
    judges.some((judge) => judge(answers))

export const status =
  (...statuses: number[]): Test =>
  ({ httpStatus }) =>
    statuses.includes(httpStatus)

export const accepted: Test = ({ httpStatus }) => httpStatus < 300

export const titled =
  (pattern: RegExp): Test =>
  ({ body }) =>
    pattern.test(titleOf(body))

/** For a refusal: its messages by field. */
export const about =
  (field: RegExp): Test =>
  ({ body }) =>
    Object.keys(errorsOf(body)).some((key) => field.test(key))

/** For the data of the answer, or its first row. */
export const data =
  (holds: (row: Record<string, unknown>) => boolean): Test =>
  ({ body }) =>
    holds(firstRow(body))

export function firstRow(body: unknown): Record<string, unknown> {
  const envelope = body as { data?: unknown } | undefined
  const found = Array.isArray(body) ? body : (envelope?.data ?? body)
  const row = Array.isArray(found) ? found[0] : found
  // Tests read single fields, any of which may be absent.
  return typeof row === 'object' && row !== null ? (row as Record<string, unknown>) : {}
}
