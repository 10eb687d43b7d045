import { expect, test } from 'vitest'
import type { Entity } from '../../src/entities/core/entity.ts'
import { entities } from '../../src/entities/registry.ts'
import { testEntities } from './entity-suite.ts'
import { specs } from './specs/all-specs.ts'

const keysOf = ({ components }: Entity) => components.map(({ key }) => key)

test('every entity has a spec, in the order of the registry', () => {
  expect(specs.map(({ entity }) => entity)).toEqual(entities.map(({ key }) => key))
})

test.each(
  entities.map((entity) => [entity.key, entity] as const),
)('the spec of %s is about its components', (key, entity) => {
  const spec = specs.find((one) => one.entity === key)
  const named = [
    ...Object.keys(spec?.components ?? {}),
    ...Object.keys(spec?.carriedBy ?? {}),
    ...Object.values(spec?.kills ?? {}).map(({ component }) => component),
    ...(spec?.faults?.writes ?? []).flatMap(({ components }) => components),
    ...(spec?.tables ?? []).map((rules) => rules.entity),
  ]
  expect(keysOf(entity)).toEqual(expect.arrayContaining(named))
})

// The smallest store, with everything that a catalogue can hold; larger ones: entity-suite.long.test.ts.
testEntities('tiny', true)
