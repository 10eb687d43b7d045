import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { shownAt, showTheme, themesOf } from '../show-theme.ts'
import { type ThemeWish, themeArchive } from '../theme-archives.ts'
import { counted } from './counted.ts'

const entities = ['store-settings']
const upload = { entities, themes: 'upload' }
const activate = { entities, themes: 'activate' }

let world: World
beforeAll(async () => {
  const theme_job_ms = 200
  const switches = { source: { theme_job_ms, theme_downloads: 'own' }, destination: { theme_job_ms } }
  world = await startWorld({ requestTimeoutSeconds: 1, switches })
})
afterAll(() => world?.stop())

const names = async (side: Side) => (await themesOf(world, side)).map(({ name }) => name)
const countsOf = async ({ requestId }: { requestId: string }) => {
  const all = await counted(world, requestId)
  return [all.themes, all['theme-activations']]
}
const writes = async (side: Side) =>
  (await world.requests(side))
    .filter(({ method, path }) => method !== 'GET' && path.startsWith('/v3/themes'))
    .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{8}-[-0-9a-f]+/, ':uuid')}`)

const shown = (wish: ThemeWish, variation = 0) => showTheme(world, wish, { variation })

const lookOf = (side: Side) => shownAt(world, side)

const failuresOf = async ({ requestId }: { requestId: string }) =>
  (await world.issues(requestId)).filter(({ severity }) => severity === 'failure')

test('nobody asked for themes: none is read, and the source is asked by GET only', async () => {
  await shown({ name: 'Lumen', files: ['brand/wide.html'], settings: { colour: 'blue' } }, 1)
  await world.resetRequests('source')
  const run = await world.complete({ entities: ['store-settings', 'theme-templates'] })
  expect(run.phases.map(({ key }) => key)).toEqual(['store-settings', 'theme-templates'])
  expect((await world.requests('source')).filter(({ path }) => path === '/v3/themes')).toEqual([])
  expect((await world.requests('source')).filter(({ method }) => method !== 'GET')).toEqual([])
  expect(await names('destination')).toEqual(['Cornerstone'])
})

test('F2: a dry run tells both and asks neither store to do anything', async () => {
  await world.resetRequests('source')
  await world.resetRequests('destination')
  const run = await world.complete({ ...activate, mode: 'dry-run' })
  expect(await countsOf(run)).toEqual([
    { discovered: 1, created: 1 },
    { discovered: 1, created: 1 },
  ])
  expect([await writes('source'), await writes('destination')]).toEqual([[], []])
})

test('D7, S3: upload copies the theme that the storefront shows; the source gets one POST, which changes nothing', async () => {
  await world.resetRequests('source')
  await world.resetRequests('destination')
  const run = await world.complete(upload)
  expect(run.status).toBe('completed')
  expect(await countsOf(run)).toEqual([{ discovered: 1, created: 1 }, undefined])
  expect(await names('destination')).toEqual(['Cornerstone', 'Lumen'])
  expect(await lookOf('destination')).toBe('Cornerstone Light')
  expect((await world.requests('source')).filter(({ method }) => method !== 'GET')).toHaveLength(1)
  expect(await writes('source')).toEqual(['POST /v3/themes/:uuid/actions/download'])
  expect(await writes('destination')).toEqual(['POST /v3/themes'])
})

test('activate has the storefront show the same variation, and its template files are found in the same run', async () => {
  const run = await world.complete({ entities: ['theme-templates'], themes: 'activate' })
  expect(await countsOf(run)).toEqual([
    { discovered: 1, matched: 1 },
    { discovered: 1, created: 1 },
  ])
  expect(await lookOf('destination')).toBe('Lumen Night')
  expect((await counted(world, run.requestId))['theme-templates']).toEqual({ discovered: 1, skipped: 1 })
  expect((await world.findings(run.requestId)).filter(({ component }) => component === 'theme-templates')).toEqual([])
})

test.each([
  'skip',
  'update',
])('C2: a second run with %s writes nothing, nor does a verify', async (conflictStrategy) => {
  await world.resetRequests('source')
  await world.resetRequests('destination')
  const run = await world.complete({ ...activate, conflictStrategy })
  expect(await countsOf(run)).toEqual([
    { discovered: 1, matched: 1 },
    { discovered: 1, matched: 1 },
  ])
  expect(
    (await world.verify(run.requestId)).differences.filter(({ component }) => component.startsWith('theme')),
  ).toEqual([])
  expect([await writes('source'), await writes('destination')]).toEqual([[], []])
})

test('B2: lost answers of download and upload, and a link that has expired, make nothing twice', async () => {
  await shown({ name: 'Aurora' })
  await world.fault('source', { kind: 'reset_after_applying', method: 'POST', path: '/actions/download$', times: 1 })
  await world.fault('source', { kind: 'theme_link_expired', times: 1 })
  await world.fault('destination', { kind: 'reset_after_applying', method: 'POST', path: '/v3/themes$', times: 1 })
  await world.fault('destination', { kind: 'reset_after_applying', method: 'POST', path: '/activate$', times: 1 })
  await world.resetRequests('destination')
  const run = await world.complete(activate)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await names('destination')).sort()).toEqual(['Aurora', 'Cornerstone', 'Lumen'])
  expect(await lookOf('destination')).toBe('Aurora Day')
  expect((await writes('destination')).filter((one) => one === 'POST /v3/themes')).toHaveLength(1)
  const hits = [...(await world.faults('source')), ...(await world.faults('destination'))].map((fault) => fault.hits)
  expect(hits).toEqual([1, 1, 1, 1])
  await world.clearFaults('source')
  await world.clearFaults('destination')
})

test('a theme of the merchant that is called as the platform’s is another one, and is copied', async () => {
  await shown({ name: 'Cornerstone' })
  expect(await countsOf(await world.complete(upload))).toEqual([{ discovered: 1, created: 1 }, undefined])
  const called = (await themesOf(world, 'destination')).filter(({ name }) => name === 'Cornerstone')
  expect(called.map(({ is_private }) => is_private)).toEqual([false, true])
})

test('a theme that the destination does not take is an open issue in its words, and what storefronts show stays', async () => {
  const { uuid } = await shown({ name: 'Broken' })
  const row = (await world.state('source')).themes?.find((one) => one.uuid === uuid)
  const fields = { archive: Buffer.from(themeArchive({ name: 'Broken', variations: [] })).toString('base64') }
  await world.change('source', { op: 'set', table: 'themes', id: row?.id ?? 0, fields: { ...fields } })
  const run = await world.complete(activate)
  expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 2 })
  const failures = await failuresOf(run)
  expect(failures.map(({ component, code }) => [component, code])).toEqual([
    ['themes', 'platform_refused'],
    ['theme-activations', 'missing_reference'],
  ])
  expect(JSON.stringify(failures[0])).toContain('variations must be an array')
  expect(await lookOf('destination')).toBe('Aurora Day')
})

test('a theme that the source does not give away is told in its words, and copied once it does', async () => {
  const { uuid } = await shown({ name: 'Bought' })
  const row = (await world.state('source')).themes?.find((one) => one.uuid === uuid)
  await world.change('source', { op: 'set', table: 'themes', id: row?.id ?? 0, fields: { is_private: false } })
  const run = await world.complete(upload)
  expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
  expect(JSON.stringify(await failuresOf(run))).toContain('cannot be downloaded')
  await world.change('source', { op: 'set', table: 'themes', id: row?.id ?? 0, fields: { is_private: true } })
  const later = await world.complete(upload)
  expect(later).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect(await names('destination')).toContain('Bought')
})

test('a wish that there is not is refused by the name of its field', async () => {
  const body = { source: 'source', destination: 'destination', themes: 'delete' }
  const answer = await world.api<{ errors: object }>('POST', '/v2/migrations', body)
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.body.errors)).toEqual(['themes'])
})
