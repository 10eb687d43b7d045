import { expect, test } from 'vitest'
import { aCatalogue, expectHonest, named } from './healing-story.ts'

test('F4: a retry of one issue sends its item and nothing else, and the others stay open', async () => {
  const world = await aCatalogue({ entities: ['brands'] })
  const { brands = [] } = await world.state('source')
  const [one, other] = brands.map(({ name }) => String(name))
  for (const name of [one, other])
    await world.fault('destination', {
      kind: 'error_before_applying',
      status: 422,
      method: 'POST',
      path: 'brands',
      body: named(name ?? ''),
      times: null,
    })
  const run = await world.complete({ autoHeal: false })
  const open = (await world.issues(run.requestId)).filter(({ state }) => state === 'open')
  expect(open.map(({ item }) => item.name).sort()).toEqual([one, other].sort())
  await world.clearFaults('destination')
  await world.resetRequests('destination')

  const chosen = open.find(({ item }) => item.name === one)
  const answer = await world.api('POST', `/v2/migrations/${run.requestId}/issues/retry`, { ids: [chosen?.id] })
  expect(answer.status, JSON.stringify(answer.body)).toBe(202)
  expect(await world.finished(run.requestId)).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v3/catalog/brands'])
  const after = await world.issues(run.requestId)
  expect(after.find(({ item }) => item.name === one)).toMatchObject({ state: 'healed' })
  expect(after.find(({ item }) => item.name === other)).toMatchObject({ state: 'open', attempts: 1 })

  const rest = await world.api('POST', `/v2/migrations/${run.requestId}/issues/retry`, { code: 'platform_refused' })
  expect(rest.status).toBe(202)
  expect(await world.finished(run.requestId)).toMatchObject({ status: 'completed', failuresOpen: 0 })
  await expectHonest(world, run.requestId)
})
