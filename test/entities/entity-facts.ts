import { specs } from './specs/all-specs.ts'
import type { ComponentFacts } from './specs/spec.ts'

const facts = specs.flatMap(({ components = {} }) => Object.entries(components))

/** Components with a fact, and its reason. */
function withFact(fact: keyof ComponentFacts): Record<string, string> {
  return Object.fromEntries(facts.flatMap(([key, { [fact]: reason }]) => (reason === undefined ? [] : [[key, reason]])))
}

export const onlyVerifySees = withFact('onlyVerifySees')
export const neverCreated = withFact('neverCreated')
export const onlyLinks = withFact('onlyLinks')
export const partlyThere = withFact('partlyThere')
export const editedElsewhere = withFact('editedElsewhere')
export const livesElsewhere = withFact('livesElsewhere')
export const prunedElsewhere = withFact('prunedElsewhere')

/** Some or all of these exist in every store, and are adopted as they are. */
export function isBornWith(component: string): boolean {
  return component in neverCreated || component in partlyThere
}
