import { expect, test } from 'vitest'
import { checkSchema, resolve } from './schema-check.ts'

const LAMP = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer', minimum: 1 },
    name: { type: 'string', maxLength: 4 },
    kind: { enum: ['desk', 'floor'] },
    parts: { type: 'array', maxItems: 2, items: { $ref: '#/components/schemas/Part' } },
  },
}
const DOCUMENT = { components: { schemas: { Part: { type: 'object', properties: { size: { type: 'number' } } } } } }

const places = (schema: unknown, value: unknown) => checkSchema(DOCUMENT, schema, value).map(({ at }) => at)

test('a value that fits has no complaints', () => {
  const lamp = { id: 1, name: 'Lamp', kind: 'desk', parts: [{ size: 1.5 }, { size: 2 }] }
  expect(checkSchema(DOCUMENT, LAMP, lamp)).toEqual([])
})

test.each([
  ['a missing field', {}, 'id'],
  ['a wrong type', { id: 'one' }, 'id'],
  ['a number with decimals where an integer is wanted', { id: 1.5 }, 'id'],
  ['a number below the minimum', { id: 0 }, 'id'],
  ['a text that is too long', { id: 1, name: 'Lamps' }, 'name'],
  ['a value outside the enum', { id: 1, kind: 'wall' }, 'kind'],
  ['too many items', { id: 1, parts: [{}, {}, {}] }, 'parts'],
  ['a wrong type behind a reference inside a list', { id: 1, parts: [{ size: '1' }] }, 'parts[].size'],
  ['a field that nobody names', { id: 1, colour: 'red' }, 'colour'],
  ['null where null is not allowed', { id: 1, name: null }, 'name'],
])('%s is a complaint that names the place', (_what, value, place) => {
  expect(places(LAMP, value)).toEqual([place])
})

test.each(['nullable', 'x-nullable'])('%s lets null pass', (word) => {
  expect(places({ type: 'string', [word]: true }, null)).toEqual([])
})

test('a field is known when one branch of allOf names it, and every branch is asked', () => {
  const schema = { allOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'string' } } }] }
  expect(places(schema, { a: 'x', b: 'y' })).toEqual([])
  expect(places(schema, { a: 1, b: 2, c: 3 })).toEqual(['a', 'b', 'c'])
})

test.each(['oneOf', 'anyOf'])('%s is content with one branch and tells what the nearest one misses', (word) => {
  const schema = { [word]: [{ type: 'string' }, { type: 'object', required: ['a'], properties: { a: {}, b: {} } }] }
  expect(places(schema, 'text')).toEqual([])
  expect(places(schema, { a: 1 })).toEqual([])
  expect(places(schema, { b: 1 })).toHaveLength(1)
})

test('additionalProperties allows other fields, and checks them when it is a schema', () => {
  expect(places({ type: 'object', properties: { a: {} }, additionalProperties: true }, { z: 1 })).toEqual([])
  expect(places({ type: 'object', additionalProperties: { type: 'string' } }, { z: 1 })).toEqual(['z'])
})

test('a reference that leads nowhere is a complaint, not a pass', () => {
  expect(places({ $ref: '#/components/schemas/Nothing' }, { any: 1 })).toEqual([''])
})

test('a reference finds keys with slashes and braces', () => {
  const document = { paths: { '/a/{id}': { get: { summary: 'found' } } } }
  expect(resolve(document, { $ref: '#/paths/~1a~1%7Bid%7D/get' })).toEqual({ summary: 'found' })
})
