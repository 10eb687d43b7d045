import { expect, test } from 'vitest'
import { entities } from '../../src/entities/registry.ts'
import { editedElsewhere, neverCreated, onlyVerifySees, partlyThere, prunedElsewhere } from './entity-facts.ts'
import { tellEntities } from './entity-suite.ts'

test('the facts of the suite are about components that there are', () => {
  const known = new Set(entities.flatMap(({ components }) => components.map(({ key }) => key)))
  for (const facts of [onlyVerifySees, neverCreated, partlyThere, editedElsewhere, prunedElsewhere])
    for (const key of Object.keys(facts)) expect(known, key).toContain(key)
})

// The smallest store, with everything that a catalogue can hold; larger ones: entity-suite.long.test.ts.
tellEntities('tiny', true)
