import { errorsOf, titleOf } from '../bigcommerce/errors.ts'
import type { Judge, Step, StepAnswer } from './call.ts'

/** What an answer is to us: as the published files say, as real stores were seen to answer, or neither. */
export type Verdict = 'as documented' | 'as seen' | 'new'

/** A behaviour that nothing is known of is new, whatever the answer. */
export function verdictOn({ documented, seen }: Pick<Step, 'documented' | 'seen'>, answers: StepAnswer[]): Verdict {
  if (documented?.(answers)) return 'as documented'
  return seen?.(answers) ? 'as seen' : 'new'
}

type Test = (answer: StepAnswer) => boolean

/** Every test holds for the last answer, the one that the step is about. */
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

/** Of a refusal: its messages by field. */
export const about =
  (field: RegExp): Test =>
  ({ body }) =>
    Object.keys(errorsOf(body)).some((key) => field.test(key))

/** Of the data of the answer, or of its first row. */
export const data =
  (holds: (row: Record<string, unknown>) => boolean): Test =>
  ({ body }) =>
    holds(firstRow(body))

export function firstRow(body: unknown): Record<string, unknown> {
  const envelope = body as { data?: unknown } | undefined
  const found = Array.isArray(body) ? body : (envelope?.data ?? body)
  const row = Array.isArray(found) ? found[0] : found
  // Judges read single fields, which may all be absent.
  return typeof row === 'object' && row !== null ? (row as Record<string, unknown>) : {}
}
