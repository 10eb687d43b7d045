import { expect, test } from 'vitest'
import { entities } from '../../src/entities/registry.ts'
import { neverCreated } from '../entities/entity-facts.ts'
import { specs } from '../entities/specs/all-specs.ts'
import { killSubject } from './subjects.ts'

const components = entities.flatMap((entity) => entity.components)
const creating = components.filter(({ create }) => create)
const own = specs.flatMap(({ kills = {} }) => Object.values(kills).map(({ component }) => component))
const carriedBy = specs.flatMap((spec) => Object.entries(spec.carriedBy ?? {}))
const withoutOwn = [...carriedBy.map(([component]) => component), ...Object.keys(neverCreated)]

test('every component that is created has kill windows: its own, or those of the component that carries it', () => {
  const known = [...own, ...withoutOwn]
  expect(creating.map(({ key }) => key).filter((key) => !known.includes(key))).toEqual([])
})

test('components that are carried or never created have no windows of their own', () => {
  for (const key of withoutOwn) {
    expect(components.map((component) => component.key)).toContain(key)
    expect(own).not.toContain(key)
  }
  for (const [, carrier] of carriedBy) expect(killSubject(carrier).write).toBeDefined()
})
