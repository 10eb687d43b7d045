import { expect, test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { aWorld, type World } from '../harness/world.ts'
import type { Side } from '../harness/world-sandbox.ts'
import { shownAt, showTheme, themesOf } from '../show-theme.ts'
import { type ThemeWish, themeArchive } from '../theme-archives.ts'
import { counted } from './counted.ts'

const entities = ['store-settings']
const upload = { themes: 'upload' }
const activate = { themes: 'activate' }
const lumen = { name: 'Lumen', files: ['brand/wide.html'], settings: { colour: 'blue' } }

/** The merchant made a theme of their own and shows it at the source. */
async function aWorldThatShows(wish: ThemeWish, variation = 0): Promise<{ world: World; uuid: string }> {
  const theme_job_ms = 20
  const switches = { source: { theme_job_ms, theme_downloads: 'own' }, destination: { theme_job_ms } }
  const world = await aWorld({ entities, switches })
  const { uuid } = await showTheme(world, wish, { variation })
  for (const side of ['source', 'destination'] as const) await world.resetRequests(side)
  return { world, uuid }
}

const names = async (world: World, side: Side) => (await themesOf(world, side)).map(({ name }) => name)
const countsOf = async (world: World, { requestId }: { requestId: string }) => {
  const all = await counted(world, requestId)
  return [all.themes, all['theme-activations']]
}
const one = (state: string) => ({ discovered: 1, [state]: 1 })
const writes = async (world: World, side: Side) =>
  (await world.requests(side))
    .filter(({ method, path }) => method !== 'GET' && path.startsWith('/v3/themes'))
    .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{8}-[-0-9a-f]+/, ':uuid')}`)
const failuresOf = async (world: World, { requestId }: { requestId: string }) =>
  (await world.issues(requestId)).filter(({ severity }) => severity === 'failure')

async function setTheme(world: World, uuid: string, fields: Record<string, unknown>): Promise<void> {
  const row = (await world.state('source')).themes?.find((theme) => theme.uuid === uuid)
  await world.change('source', { op: 'set', table: 'themes', id: row?.id ?? 0, fields })
}

test('D7: unless themes are requested, none is read or copied, and the source gets only GET requests', async () => {
  const { world } = await aWorldThatShows(lumen)
  const run = await world.complete({ entities: ['store-settings', 'theme-templates'] })
  expect(run.phases.map(({ key }) => key)).toEqual(['store-settings', 'theme-templates'])
  expect((await world.requests('source')).filter(({ path }) => path === '/v3/themes')).toEqual([])
  expect((await world.requests('source')).filter(({ method }) => method !== 'GET')).toEqual([])
  expect(await names(world, 'destination')).toEqual(['Cornerstone'])
})

test('F2: a dry run foretells theme and activation, and sends no write for themes to either store', async () => {
  const { world } = await aWorldThatShows(lumen)
  const run = await world.complete({ ...activate, mode: 'dry-run' })
  expect(await countsOf(world, run)).toEqual([one('created'), one('created')])
  expect([await writes(world, 'source'), await writes(world, 'destination')]).toEqual([[], []])
})

test('D7: upload copies the theme that the storefront shows; the source gets one POST, which changes nothing', async () => {
  const { world } = await aWorldThatShows(lumen, 1)
  // A download only adds to its list of jobs.
  const shop = async () => ({ ...(await world.state('source')), theme_jobs: [], uploads: [] })
  const before = await shop()
  const run = await world.complete(upload)
  expect(run.status).toBe('completed')
  expect(await countsOf(world, run)).toEqual([one('created'), undefined])
  expect(await names(world, 'destination')).toEqual(['Cornerstone', 'Lumen'])
  expect(await shownAt(world, 'destination')).toBe('Cornerstone Light')
  expect((await world.requests('source')).filter(({ method }) => method !== 'GET')).toHaveLength(1)
  expect(await writes(world, 'source')).toEqual(['POST /v3/themes/:uuid/actions/download'])
  expect(await writes(world, 'destination')).toEqual(['POST /v3/themes'])
  expect(await shop()).toEqual(before)
})

longTest(
  'C2: activate makes the storefront show the same variation, the same run finds the theme’s files, and later runs write no theme',
  async () => {
    const { world } = await aWorldThatShows(lumen, 1)
    await world.complete(upload)
    const run = await world.complete({ ...activate, entities: ['theme-templates'] })
    expect(await countsOf(world, run)).toEqual([one('matched'), one('created')])
    expect(await shownAt(world, 'destination')).toBe('Lumen Night')
    expect((await counted(world, run.requestId))['theme-templates']).toEqual({ discovered: 1, skipped: 1 })
    expect((await world.findings(run.requestId)).filter(({ component }) => component === 'theme-templates')).toEqual([])

    for (const side of ['source', 'destination'] as const) await world.resetRequests(side)
    for (const conflictStrategy of ['skip', 'update']) {
      const again = await world.complete({ ...activate, conflictStrategy })
      expect(await countsOf(world, again), conflictStrategy).toEqual([one('matched'), one('matched')])
    }
    const { differences } = await world.verify(run.requestId)
    expect(differences.filter(({ component }) => component.startsWith('theme'))).toEqual([])
    expect([await writes(world, 'source'), await writes(world, 'destination')]).toEqual([[], []])
  },
)

longTest('B2: lost answers of download, upload and activation, and an expired link, create nothing twice', async () => {
  const { world } = await aWorldThatShows({ name: 'Aurora' })
  await world.fault('source', { kind: 'reset_after_applying', method: 'POST', path: '/actions/download$', times: 1 })
  await world.fault('source', { kind: 'theme_link_expired', times: 1 })
  await world.fault('destination', { kind: 'reset_after_applying', method: 'POST', path: '/v3/themes$', times: 1 })
  await world.fault('destination', { kind: 'reset_after_applying', method: 'POST', path: '/activate$', times: 1 })
  const run = await world.complete(activate)
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  expect((await names(world, 'destination')).sort()).toEqual(['Aurora', 'Cornerstone'])
  expect(await shownAt(world, 'destination')).toBe('Aurora Day')
  expect((await writes(world, 'destination')).filter((call) => call === 'POST /v3/themes')).toHaveLength(1)
  const hits = [...(await world.faults('source')), ...(await world.faults('destination'))].map((fault) => fault.hits)
  expect(hits).toEqual([1, 1, 1, 1])
})

test('a merchant’s theme with the name of a platform theme is not mistaken for it, and is copied', async () => {
  const { world } = await aWorldThatShows({ name: 'Cornerstone' })
  expect(await countsOf(world, await world.complete(upload))).toEqual([one('created'), undefined])
  const called = (await themesOf(world, 'destination')).filter(({ name }) => name === 'Cornerstone')
  expect(called.map(({ is_private }) => is_private)).toEqual([false, true])
})

test('a theme that the destination refuses is an issue with the destination’s message, and the storefront keeps its theme', async () => {
  const { world, uuid } = await aWorldThatShows({ name: 'Broken' })
  const archive = Buffer.from(themeArchive({ name: 'Broken', variations: [] })).toString('base64')
  await setTheme(world, uuid, { archive })
  const run = await world.complete(activate)
  expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 2 })
  const failures = await failuresOf(world, run)
  expect(failures.map(({ component, code }) => [component, code])).toEqual([
    ['themes', 'platform_refused'],
    ['theme-activations', 'missing_reference'],
  ])
  expect(JSON.stringify(failures[0])).toContain('variations must be an array')
  expect(await shownAt(world, 'destination')).toBe('Cornerstone Light')
})

longTest(
  'a theme whose download the source refuses is reported with the source’s message, and copied once it is allowed',
  async () => {
    const { world, uuid } = await aWorldThatShows({ name: 'Bought' })
    await setTheme(world, uuid, { is_private: false })
    const run = await world.complete(upload)
    expect(run).toMatchObject({ status: 'partial_completed', failuresOpen: 1 })
    expect(JSON.stringify(await failuresOf(world, run))).toContain('cannot be downloaded')
    await setTheme(world, uuid, { is_private: true })
    expect(await world.complete(upload)).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(await names(world, 'destination')).toContain('Bought')
  },
)

test('an unknown value for themes is refused with the name of its field', async () => {
  const world = await aWorld()
  const [source, destination] = [world.address('source').hash, world.address('destination').hash]
  const body = { source, destination, themes: 'delete' }
  const answer = await world.api<{ errors: object }>('POST', '/v2/migrations', body)
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.body.errors)).toEqual(['themes'])
})
