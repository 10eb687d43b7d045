import { expect, test } from 'vitest'
import { resources } from '../../../sandbox/registry.ts'
import { PUBLISHED_PARAMETERS } from '../../../sandbox/validation/query-parameters.ts'
import { aSandbox } from '../a-sandbox.ts'
import { operationKey, orHowToGetSpecs, readPublishedOperations, specsFolder } from './published-operations.ts'
import { isObject, resolve } from './schema-check.ts'

const reads = resources.flatMap(({ routes }) => routes).filter(({ method }) => method === 'GET')

test('each list and item has its query parameters in the table, and nothing else is there', () => {
  expect(Object.keys(PUBLISHED_PARAMETERS).sort()).toEqual(reads.map(({ path }) => path).sort())
})

test.skipIf(!specsFolder)(orHowToGetSpecs('the table names the query parameters that the published files name'), () => {
  const operations = readPublishedOperations()
  for (const { path } of reads) {
    const published = operations.get(operationKey('GET', path))
    const parameters = Array.isArray(published?.operation.parameters) ? published.operation.parameters : []
    const names = parameters
      .map((parameter) => resolve(published?.document ?? {}, parameter))
      .filter((parameter) => isObject(parameter) && parameter.in === 'query')
      .map((parameter) => String(parameter?.name))
    expect(`${path}: ${PUBLISHED_PARAMETERS[path]}`).toBe(`${path}: ${names.sort().join(' ')}`)
  }
})

test('with `unknown_parameters: refuse` a parameter that the resource does not have is refused in the form of its version', async () => {
  const { call } = await aSandbox({ store: { seed: 'tiny', switches: { unknown_parameters: 'refuse' } } })
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
