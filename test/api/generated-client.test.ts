import { setTimeout as sleep } from 'node:timers/promises'
import createClient from 'openapi-fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import type { paths } from './openapi-paths.ts'

/** What somebody has who knows the service by openapi.json alone: types by openapi-typescript, calls by openapi-fetch. */
const generatedClient = (baseUrl: string, headers: Record<string, string> = {}) =>
  createClient<paths>({ baseUrl, headers, fetch: (request) => askUntilHeard(request) })

/** The service shares its process with the story, which may keep it busy for longer than it bears: as clients do, ask again. */
async function askUntilHeard(request: Request, tries = 5): Promise<Response> {
  const response = await fetch(request.clone())
  if (response.status !== 503 || tries === 1) return response
  await sleep(1_000)
  return askUntilHeard(request, tries - 1)
}

let world: World
beforeAll(async () => {
  world = await startWorld({ catalogueOnly: true })
})
afterAll(() => world?.stop())

/** Reads the events of a migration until the service says that nothing more comes. */
async function watch(client: ReturnType<typeof generatedClient>, id: string): Promise<string[]> {
  const { data, response } = await client.GET('/v2/migrations/{id}/events', {
    params: { path: { id } },
    parseAs: 'stream',
  })
  expect(response.headers.get('content-type')).toMatch('text/event-stream')
  let text = ''
  for await (const chunk of data ?? []) text += Buffer.from(chunk).toString()
  return [...text.matchAll(/^event: (.*)$/gm)].map(([, name = '']) => name)
}

test('a client generated from openapi.json logs in, forecasts, creates, watches, reads and dismisses issues, and verifies', async () => {
  const login = await generatedClient(world.url).POST('/v2/login', { body: world.identity })
  expect(login.error).toBeUndefined()
  const hashOf = (label: string) => login.data?.stores.find((store) => store.label === label)?.hash ?? ''
  const pair = { source: hashOf('source'), destination: hashOf('destination') }
  const entities = ['brands']
  const client = generatedClient(world.url, { authorization: `Bearer ${login.data?.access_token}` })

  const forecast = await client.POST('/v2/forecast', { body: { ...pair, entities } })
  expect(forecast.data).toMatchObject({ counts: { brands: 4 }, basis: 'forecast' })

  await world.fault('destination', {
    kind: 'error_before_applying',
    status: 422,
    method: 'POST',
    path: '/v3/catalog/brands$',
  })
  const created = await client.POST('/v2/migrations', { body: { ...pair, entities, autoHeal: false } })
  expect(created.response.status).toBe(202)
  const id = created.data?.requestId ?? ''
  const events = await watch(client, id)
  expect(events[0]).toBe('migration')
  expect(events.at(-1)).toBe('end')
  const path = { id }
  const copied = await client.GET('/v2/migrations/{id}', { params: { path } })
  expect(copied.data).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  expect(copied.response.headers.get('x-read-source')).toBe('postgres')

  const open = { state: 'open', severity: 'failure' } as const
  const issues = await client.GET('/v2/migrations/{id}/issues', { params: { path, query: open } })
  expect(issues.data?.items).toHaveLength(1)
  const issueId = issues.data?.items[0]?.id ?? ''
  const dismissed = await client.POST('/v2/migrations/{id}/issues/{issueId}/dismiss', {
    params: { path: { id, issueId } },
  })
  expect(dismissed.response.status).toBe(200)
  const afterwards = await client.GET('/v2/migrations/{id}', { params: { path } })
  expect(afterwards.data).toMatchObject({ status: 'completed', failuresOpen: 0 })

  const verify = await client.POST('/v2/migrations/{id}/verify', { params: { path } })
  expect(verify.response.status).toBe(202)
  const verifyId = verify.data?.requestId ?? ''
  await watch(client, verifyId)
  const verified = await client.GET('/v2/migrations/{id}', { params: { path: { id: verifyId } } })
  expect(verified.data).toMatchObject({ mode: 'verify', status: 'completed' })
  const differences = await client.GET('/v2/migrations/{id}/differences', { params: { path: { id: verifyId } } })
  expect(differences.data?.items).toMatchObject([{ component: 'brands', kind: 'missing' }])
})

test('a generated client gets refusals in the error format of openapi.json', async () => {
  const refused = await generatedClient(world.url).GET('/v2/stores')
  expect(refused.data).toBeUndefined()
  expect(refused.error).toEqual({ error: 'unauthorized', message: expect.any(String) })
})
