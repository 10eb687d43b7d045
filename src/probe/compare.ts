import type { AnsweredCall } from '../bigcommerce/answer-shape.ts'
import { shapeOfBody } from './report.ts'
import type { Observation } from './try-steps.ts'

export interface BehaviourDifference {
  key: string
  /** Sentences that name the other store last. */
  differences: string[]
}

/** Headers that the program relies on; others come from proxies in front of a store. */
const relevant = /^(x-rate-limit-.*|x-retry-after|retry-after|content-type|allow)$/

/** Behaviours in which two stores differ, by status, field names, types and headers. */
export function compareObservations(one: readonly Observation[], other: readonly Observation[]): BehaviourDifference[] {
  const others = new Map(other.map((observation) => [observation.step.key, observation]))
  return one.flatMap(({ step: { key }, answers }) => {
    const [here, there] = [answers.at(-1), others.get(key)?.answers.at(-1)]
    if (here === undefined || there === undefined) return []
    const differences = differencesOf(here, there)
    return differences.length === 0 ? [] : [{ key, differences }]
  })
}

function differencesOf(here: AnsweredCall, there: AnsweredCall): string[] {
  const [fields, otherFields] = [shapeOfBody(here.body), shapeOfBody(there.body)]
  const headers = (answer: AnsweredCall) => Object.keys(answer.headers).filter((name) => relevant.test(name))
  const onlyIn = (some: string[], than: string[]) => some.filter((name) => !than.includes(name))
  return [
    ...(here.httpStatus === there.httpStatus ? [] : [`HTTP ${here.httpStatus}, not ${there.httpStatus}`]),
    ...topmost(onlyIn(Object.keys(fields), Object.keys(otherFields))).map((at) => `has ${at || 'a body'}`),
    ...topmost(onlyIn(Object.keys(otherFields), Object.keys(fields))).map((at) => `has no ${at || 'body'}`),
    ...Object.entries(fields).flatMap(([at, type]) => {
      const otherType = otherFields[at]
      return otherType === undefined || otherType === type ? [] : [`${at || 'the body'} is ${type}, not ${otherType}`]
    }),
    ...onlyIn(headers(here), headers(there)).map((name) => `has the header ${name}`),
    ...onlyIn(headers(there), headers(here)).map((name) => `has no header ${name}`),
  ]
}

/** Leaves out what is below a field that already differs. */
function topmost(paths: string[]): string[] {
  return paths.filter((path) => !paths.some((above) => isBelow(path, above)))
}

function isBelow(path: string, above: string): boolean {
  return path !== above && (above === '' || path.startsWith(`${above}.`) || path.startsWith(`${above}[]`))
}
