import { expect, test } from 'vitest'
import { resources } from '../../../sandbox/registry.ts'
import { PUBLISHED_FIELDS } from '../../../sandbox/validation/body-fields.ts'
import { PUBLISHED_PARAMETERS } from '../../../sandbox/validation/query-parameters.ts'
import { entities } from '../../../src/entities/registry.ts'
import { aSandbox } from '../a-sandbox.ts'
import { operationKey, orHowToGetSpecs, readPublishedOperations, specsFolder } from './published-operations.ts'
import { isObject, resolve, type Schema } from './schema-check.ts'

const reads = resources.flatMap(({ routes }) => routes).filter(({ method }) => method === 'GET')

test('each list and item has its query parameters in the table, and nothing else is there', () => {
  expect(Object.keys(PUBLISHED_PARAMETERS).sort()).toEqual(reads.map(({ path }) => path).sort())
})

test.skipIf(!specsFolder)(orHowToGetSpecs('the table names the query parameters that the published files name'), () => {
  const operations = readPublishedOperations()
  for (const { path } of reads) {
    const published = operations.get(operationKey('GET', path))
    const names = (published?.parameters ?? [])
      .map((parameter) => resolve(published?.document ?? {}, parameter))
      .filter((parameter) => isObject(parameter) && parameter.in === 'query')
      .map((parameter) => String(parameter?.name))
    expect(`${path}: ${PUBLISHED_PARAMETERS[path]}`).toBe(`${path}: ${[...new Set(names)].sort().join(' ')}`)
  }
})

test('a parameter that the resource does not have is refused in the form of its version', async () => {
  const { call } = await aSandbox({ store: { seed: 'tiny' } })
  const refused = await call('GET', '/v3/customers?foo=bar&page=1')
  expect([refused.status, refused.body.title]).toEqual([422, 'The filter(s): foo are not valid filter parameter(s).'])
  const old = await call('GET', '/v2/coupons?zzz=1')
  expect([old.status, old.body]).toEqual([
    400,
    [{ status: 400, message: "The field 'zzz' is not supported by this resource." }],
  ])
  for (const path of ['/v3/customers?page=1&limit=5', '/v3/catalog/trees?page=1&limit=5', '/v2/coupons?page=1'])
    expect((await call('GET', path)).status).toBe(200)
})

test('with `unknown_parameters: ignore` and `unknown_fields: ignore` what a resource does not have is ignored', async () => {
  const { call } = await aSandbox({ store: { switches: { unknown_parameters: 'ignore', unknown_fields: 'ignore' } } })
  expect((await call('GET', '/v3/customers?foo=bar')).status).toBe(200)
  expect((await call('POST', '/v2/customer_groups', { name: 'Trade', date_created: 'today' })).status).toBe(200)
})

const writes = resources
  .flatMap(({ routes }) => routes)
  .filter(({ method, path }) => ['POST', 'PUT'].includes(method) && path.startsWith('/v2/'))

test('each write of version 2 has its fields in the table, and nothing else is there', () => {
  expect(Object.keys(PUBLISHED_FIELDS).sort()).toEqual(writes.map(({ method, path }) => `${method} ${path}`).sort())
})

/** Fields of a schema that may be written; those of the schemas that it combines are its own. */
function fieldsOf(document: Schema, schema: unknown): [string, boolean][] {
  const resolved = resolve(document, schema)
  if (!isObject(resolved)) return []
  const combined = ['allOf', 'oneOf', 'anyOf'].flatMap((word) => (Array.isArray(resolved[word]) ? resolved[word] : []))
  const properties = isObject(resolved.properties) ? Object.entries(resolved.properties) : []
  return [
    ...combined.flatMap((one) => fieldsOf(document, one)),
    ...properties.map(([name, value]): [string, boolean] => [name, resolve(document, value)?.readOnly !== true]),
  ]
}

test.skipIf(!specsFolder)(
  orHowToGetSpecs('the table names the fields that the published files let a caller write'),
  () => {
    const operations = readPublishedOperations()
    for (const { method, path } of writes) {
      const { document = {}, operation = {} } = operations.get(operationKey(method, path)) ?? {}
      const content = resolve(document, operation.requestBody)?.content
      const json = isObject(content) ? content['application/json'] : undefined
      const fields = new Map(fieldsOf(document, isObject(json) ? json.schema : undefined))
      const writable = [...fields].filter(([, isWritable]) => isWritable).map(([name]) => name)
      expect(`${path}: ${PUBLISHED_FIELDS[`${method} ${path}`]}`).toBe(`${path}: ${writable.sort().join(' ')}`)
    }
  },
)

test('G16: what the product may send of a component of version 2 is what the published files name', () => {
  const accepting = entities.flatMap(({ components }) => components).filter(({ accepts }) => accepts)
  expect(accepting).toHaveLength(8)
  for (const { key, accepts = [], create } of accepting) {
    const path = create?.call([]).path.replace('undefined', ':zoneId')
    expect(`${key}: ${[...accepts].sort().join(' ')}`).toBe(`${key}: ${PUBLISHED_FIELDS[`POST ${path}`]}`)
  }
})

test('a write of version 2 with a field that the resource does not have is refused', async () => {
  const { call } = await aSandbox()
  const group = { name: 'Trade', date_created: 'today' }
  const refused = await call('POST', '/v2/customer_groups', group)
  expect([refused.status, refused.body]).toEqual([
    400,
    [{ status: 400, message: "The field 'date_created' is not supported by this resource." }],
  ])
  expect((await call('POST', '/v2/customer_groups', { name: 'Trade' })).status).toBe(200)
})
