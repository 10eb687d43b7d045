import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../src/api/routes.ts'
import { aService, type Service } from './a-service.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

test('the API description has every operation on migrations, with exactly the keys of the specification', async () => {
  const description = (await service.get('/v2/openapi.json')).json()
  for (const { method, path } of routes.filter((route) => route.path.includes('/migrations'))) {
    const described = path.replace(/:(\w+)/g, '{$1}')
    expect(description.paths[described], described).toHaveProperty(method.toLowerCase())
  }
  const detail = description.paths['/v2/migrations/{id}'].get.responses['200'].content['application/json'].schema
  expect(detail.additionalProperties).toBe(false)
  expect(Object.keys(detail.properties)).toEqual([
    'requestId',
    'platform',
    'source',
    'destination',
    'status',
    'autoHeal',
    'mode',
    'conflictStrategy',
    'timestamps',
    'progress',
    'counters',
    'phases',
    'summaryLine',
    'failuresOpen',
    'pageTemplates',
    'forecast',
    'selective',
    'sourceStorefront',
    'destStorefront',
  ])
})
