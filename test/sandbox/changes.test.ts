import { expect, test } from 'vitest'
import { Refusal, v3Error } from '../../sandbox/answers.ts'
import type { SandboxAnswer, SandboxRoute } from '../../sandbox/resource.ts'
import type { CallParts } from '../../sandbox/serve-call.ts'
import { ask, until } from './a-sandbox.ts'
import { aServer } from './a-server.ts'

const THINGS = '/v3/things/7'

/** A server whose one path answers what the test wants, and what it told of changes. */
async function aListener(answer: () => SandboxAnswer) {
  const route = (method: SandboxRoute['method']): SandboxRoute => ({
    method,
    path: '/v3/things/:thingId',
    scope: 'store_v2_default',
    latency: 'write',
    handle: answer,
  })
  const told: Parameters<NonNullable<CallParts['changed']>>[] = []
  const changed: CallParts['changed'] = (...news) => void told.push(news)
  const { host, url } = await aServer([route('GET'), route('POST'), route('PUT'), route('DELETE')], { changed })
  const call = (method: string, body?: unknown) =>
    ask(`${url}${THINGS}?a=1`, method, body, { 'X-Auth-Token': 'secret' })
  return { host, call, told }
}

test('a change is told with its store, its call and its answer; a read is not', async () => {
  const { host, call, told } = await aListener(() => ({ status: 200, body: { data: { id: 7 } } }))
  await call('GET')
  await call('PUT', { name: 'x' })
  expect(told).toHaveLength(1)
  const [toldHost, toldCall, toldAnswer] = told[0] ?? []
  expect(toldHost).toBe(host)
  expect(toldCall).toMatchObject({ method: 'PUT', path: THINGS, params: { thingId: '7' }, body: { name: 'x' } })
  expect(toldCall?.route.path).toBe('/v3/things/:thingId')
  expect(String(toldCall?.query)).toBe('a=1')
  expect(toldAnswer).toEqual({ status: 200, body: { data: { id: 7 } } })
})

test.each<[string, SandboxAnswer, number]>([
  ['204', { status: 204 }, 1],
  ['207', { status: 207, body: { data: [] } }, 1],
  ['a 422 that counts what it saved', { status: 422, body: { meta: { success: 1, failed: 1 } } }, 1],
  ['a 422 that counts saved records', { status: 422, body: { meta: { saved_records: 2 } } }, 1],
  ['a 422 that shows what it saved', { status: 422, body: { data: [{ id: 1 }], errors: [{}] } }, 1],
  ['a 422 that saved nothing', { status: 422, body: { data: [], meta: { success: 0, failed: 2 } } }, 0],
  ['a plain 422', v3Error(422, 'no'), 0],
  ['a 409', v3Error(409, 'taken'), 0],
])('%s is told as it should be', async (_case, answer, times) => {
  const { call, told } = await aListener(() => answer)
  await call('POST', {})
  expect(told).toHaveLength(times)
})

test('a refusal that is thrown is no change', async () => {
  const { call, told } = await aListener(() => {
    throw new Refusal(v3Error(422, 'no'))
  })
  expect((await call('POST', {})).status).toBe(422)
  expect(told).toEqual([])
})

test.each([
  'reset_after_applying',
  'truncated_body',
  'apply_late',
])('fault %s: a change is told although its answer is lost', async (kind) => {
  const { host, call, told } = await aListener(() => ({ status: 200, body: { data: { id: 7 } } }))
  host.faults.add({ kind, seconds: 0.01 })
  await expect(call('POST', {})).rejects.toThrow()
  await until(async () => told.length === 1)
})

test.each(['error_before_applying', 'overloaded'])('fault %s: nothing changes and nothing is told', async (kind) => {
  const { host, call, told } = await aListener(() => ({ status: 200, body: {} }))
  host.faults.add({ kind })
  await call('POST', {})
  expect(told).toEqual([])
})
