import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../src/api/routes.ts'
import { listStores } from '../../src/db/stores.ts'
import { anOrganisation, aService, type Organisation, type Service } from '../api/a-service.ts'

let service: Service
let ours: Organisation
let theirs: Organisation
beforeAll(async () => {
  service = await aService()
  ours = await anOrganisation(service, { stores: ['shared1', 'shared2', 'ours1'] })
  theirs = await anOrganisation(service, { stores: ['shared1', 'shared2', 'theirs1'] })
})
afterAll(() => service.close())

test('S2: the same shop connected in two organisations is two rows with nothing in common', async () => {
  const [mine, others] = await Promise.all([ours, theirs].map(({ id }) => listStores(service.deps.database, id)))
  const ids = [...mine!, ...others!].map((store) => store.id)
  expect(new Set(ids).size).toBe(6)
})

test('S2: the list of stores holds those of the caller only', async () => {
  const { items } = (await service.get('/v2/stores', await ours.token())).json()
  expect(items.map((store: { hash: string }) => store.hash)).toEqual(['ours1', 'shared1', 'shared2'])
})

const storeRoutes = routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/v2/stores/:hash'))

test.each(storeRoutes)('S2: $path of a store of somebody else is the same 404 as one of nobody', async ({ path }) => {
  const token = await ours.token()
  const foreign = await service.get(path.replace(':hash', 'theirs1'), token)
  const absent = await service.get(path.replace(':hash', 'nobodys1'), token)
  expect(foreign.statusCode).toBe(404)
  expect(foreign.json()).toEqual(absent.json())
})

test('S2: a token of one organisation with the id of another in it is not a token', async () => {
  const { bearerTokens } = service.deps
  const { token } = await bearerTokens.issue({ userId: ours.userId, organisationId: theirs.id, secretVersion: 1 })
  expect((await service.get('/v2/stores', token)).statusCode).toBe(401)
})
