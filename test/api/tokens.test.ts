import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rotateCredential } from '../../src/accounts/api-credentials.ts'
import { limits } from '../../src/contract/primitives/limits.ts'
import { aBrowser, anOrganisation, aService, type Organisation, type Service } from './a-service.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

async function tokensOf(organisation: Organisation) {
  const browser = aBrowser(service, await organisation.cookie())
  const list = async (query = '') => (await browser.get(`/v2/tokens${query}`)).json()
  return { list, end: (id: string) => browser.send('DELETE', `/v2/tokens/${id}`) }
}

test('S35: two bearer tokens of one second are distinct, and ending one leaves the other', async () => {
  const organisation = await anOrganisation(service)
  const [one, other] = [await organisation.token(), await organisation.token()]
  expect(one).not.toBe(other)
  const { list, end } = await tokensOf(organisation)
  const ids = [one, other].map((token) => decodeJwt(token).jti)
  expect((await list()).items.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted())
  expect((await end(String(ids[0]))).statusCode).toBe(204)
  expect((await service.get('/v2/stores', one)).statusCode).toBe(401)
  expect((await service.get('/v2/stores', other)).statusCode).toBe(200)
  expect((await end(String(ids[0]))).statusCode).toBe(404)
  expect((await end('nonsense')).statusCode).toBe(404)
})

test('S35: the list says for which organisation a token was issued, to which address and for how long', async () => {
  const organisation = await anOrganisation(service)
  const login = await service.login(organisation.identity, '203.0.113.35')
  const { list } = await tokensOf(organisation)
  const { items } = await list()
  const issuedAt = Date.parse(login.json().expires_at) - limits.bearerTokenSeconds * 1000
  expect(items).toEqual([
    {
      id: decodeJwt(login.json().access_token).jti,
      organisation: { id: organisation.id, name: organisation.identity.organization_name },
      address: '203.0.113.35',
      issuedAt: new Date(issuedAt).toISOString(),
      expiresAt: login.json().expires_at,
    },
  ])
})

test('the list is in pages, newest first, and has no tokens that are void', async () => {
  const organisation = await anOrganisation(service)
  for (let token = 0; token < 3; token += 1) {
    await organisation.token()
    service.clock.jumpSeconds(2)
  }
  const { list } = await tokensOf(organisation)
  const first = await list('?limit=2')
  const second = await list(`?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)
  const all = [...first.items, ...second.items].map(({ issuedAt }) => issuedAt)
  expect(all).toHaveLength(3)
  expect(all).toEqual(all.toSorted().toReversed())
  expect(second.nextCursor).toBeNull()
  await rotateCredential(organisation.id, { userId: null }, service.deps)
  expect((await list()).items).toEqual([])
})

test('S2: a person neither sees nor ends the bearer token of another', async () => {
  const [ours, theirs] = [await anOrganisation(service), await anOrganisation(service)]
  const token = await theirs.token()
  const { list, end } = await tokensOf(ours)
  expect((await list()).items).toEqual([])
  expect((await end(String(decodeJwt(token).jti))).statusCode).toBe(404)
  expect((await service.get('/v2/stores', token)).statusCode).toBe(200)
})

test('an expired bearer token is in no list, and the next login deletes its row', async () => {
  const organisation = await anOrganisation(service)
  const id = String(decodeJwt(await organisation.token()).jti)
  service.clock.jumpSeconds(limits.bearerTokenSeconds + 60)
  const { list } = await tokensOf(organisation)
  expect((await list()).items).toEqual([])
  await organisation.token()
  const { rows } = await sql`select from bearer_tokens where id = ${id}`.execute(service.deps.database)
  expect(rows).toEqual([])
})
