import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { type ThemeWish, themeArchive, themeForm } from '../theme-archives.ts'
import { aSandbox } from './a-sandbox.ts'
import { until } from './a-shop.ts'
import { aProductWorld } from './product-world.ts'

const THEMES = '/v3/themes'
const HOUR_MS = 3_600_000
const ACTIVATE = `${THEMES}/actions/activate?channel_id=1`

interface Theme {
  uuid: string
  name: string
  is_private: boolean
  is_active: boolean
  variations: { uuid: string; name: string; external_id: string }[]
}

interface Job {
  status: string
  percent_complete: number
  result: { theme_id?: string; download_url?: string }
  errors: { error: string; message: string }[]
}

async function aThemeWorld(switches: Record<string, unknown> = {}) {
  const world = await aProductWorld({ switches: { theme_job_ms: 40, ...switches } })
  const list = async (): Promise<Theme[]> => (await world.get(THEMES)).body.data
  const job = async (id: string): Promise<Job> => (await world.get(`${THEMES}/jobs/${id}`)).body.data
  const done = async (id: string): Promise<Job> => {
    await until(async () => ['COMPLETED', 'FAILED'].includes((await job(id)).status))
    return job(id)
  }
  const send = (bytes: Uint8Array<ArrayBuffer>) => world.call('POST', THEMES, themeForm(bytes))
  const upload = async (wish: ThemeWish = {}): Promise<Theme> => {
    const { result } = await done((await send(themeArchive(wish))).body.job_id)
    return (await world.get(`${THEMES}/${result.theme_id}`)).body.data
  }
  const download = async ({ uuid }: Theme, body: object = {}) => {
    const { job_id } = (await world.call('POST', `${THEMES}/${uuid}/actions/download`, body)).body
    return (await done(job_id)).result.download_url ?? ''
  }
  const unpacked = async (address: string) => unzipSync(new Uint8Array(await (await fetch(address)).arrayBuffer()))
  /** Advances the clock for running jobs. */
  const pass = (ms: number) => {
    const [jobs, themes] = [world.store.table('theme_jobs'), world.store.table('themes')]
    for (const { id, started_ms, ready_ms } of jobs.find({}))
      jobs.update(id, { started_ms: Number(started_ms) - ms, ready_ms: Number(ready_ms) - ms })
    for (const { id, ready_ms } of themes.find({})) themes.update(id, { ready_ms: Number(ready_ms) - ms })
  }
  const active = async () => (await world.get('/v3/channels/1/active-theme')).body.data
  return { ...world, list, job, done, send, upload, download, unpacked, active, pass }
}

const configIn = (entries: Record<string, Uint8Array>) => JSON.parse(strFromU8(entries['config.json'] as Uint8Array))

test('a new store has one theme, which its storefront shows', async () => {
  const { list, active, get } = await aThemeWorld()
  const [born, ...others] = await list()
  expect(others).toEqual([])
  expect(born).toMatchObject({ name: 'Cornerstone', is_private: false, is_active: true })
  expect(born?.variations.map(({ name }) => name)).toEqual(['Light', 'Bold', 'Warm'])
  expect((await active()).active_theme_uuid).toBe(born?.uuid)
  expect((await get(`${THEMES}/${born?.uuid}`)).body.data).toEqual(born)
})

test('an upload is a job: the theme exists when it is done, and is not active', async () => {
  const { send, job, list, pass } = await aThemeWorld({ theme_job_ms: HOUR_MS })
  const answer = await send(themeArchive())
  expect(answer.status).toBe(201)
  const { job_id } = answer.body
  expect([(await job(job_id)).status, (await list()).length]).toEqual(['QUEUED', 1])
  pass(0.6 * HOUR_MS)
  expect([(await job(job_id)).status, (await list()).length]).toEqual(['WORKING', 1])
  pass(HOUR_MS)
  const { status, result, percent_complete } = await job(job_id)
  expect([status, percent_complete]).toEqual(['COMPLETED', 100])
  const theme = (await list()).find(({ uuid }) => uuid === result.theme_id)
  expect(theme).toMatchObject({ name: 'Lumen', is_private: true, is_active: false })
  expect(theme?.variations.map(({ name, external_id }) => [name, external_id])).toEqual([
    ['Day', 'day'],
    ['Night', 'night'],
  ])
})

test.each([
  ['no zip', new TextEncoder().encode('no zip'), 'invalid_archive'],
  ['a zip with a broken config', themeArchive({ config: 'text' }), 'invalid_config'],
  ['a theme without variations', themeArchive({ variations: [] }), 'invalid_config'],
  ['a theme with five variations', themeArchive({ variations: ['1', '2', '3', '4', '5'] }), 'invalid_config'],
  ['a theme of two variations with one name', themeArchive({ variations: ['Day', 'Day'] }), 'invalid_config'],
  ['a theme whose name is too long', themeArchive({ name: 'x'.repeat(65) }), 'invalid_config'],
])('the job of %s fails and says why', async (_what, bytes, error) => {
  const { send, done, list } = await aThemeWorld()
  const { status, errors, result } = await done((await send(bytes)).body.job_id)
  expect([status, errors[0]?.error, result]).toEqual(['FAILED', error, {}])
  expect(await list()).toHaveLength(1)
})

test('one upload at a time, by form only, up to twenty themes', async () => {
  const { send, done, call, upload, list, store, pass } = await aThemeWorld({ theme_job_ms: HOUR_MS })
  expect((await call('POST', THEMES, { file: 'theme.zip' })).status).toBe(415)
  expect((await call('POST', THEMES, new FormData())).status).toBe(422)
  const first = await send(themeArchive({ name: 'Lumen 2' }))
  expect((await send(themeArchive({ name: 'Lumen 3' }))).status).toBe(409)
  pass(HOUR_MS)
  await done(first.body.job_id)
  store.switches.theme_job_ms = 0
  for (let n = 3; n <= 20; n++) await upload({ name: `Lumen ${n}` })
  expect(await list()).toHaveLength(20)
  const refused = await send(themeArchive())
  expect([refused.status, refused.body.title]).toEqual([409, 'You have reached your upload limit of themes.'])
})

test('the link of a download job needs no token, and the archive can be uploaded again as the same theme', async () => {
  const { upload, download, unpacked, send, done, list } = await aThemeWorld()
  const theme = await upload({ files: ['brand/wide.html'] })
  const address = await download(theme, { which: 'original' })
  const entries = await unpacked(address)
  expect(Object.keys(entries).sort()).toEqual([
    'config.json',
    'templates/pages/custom/brand/wide.html',
    'templates/pages/home.html',
  ])
  const bytes = Uint8Array.from(new Uint8Array(await (await fetch(address)).arrayBuffer()))
  expect((await done((await send(bytes)).body.job_id)).status).toBe('COMPLETED')
  expect((await list()).map(({ name }) => name)).toEqual(['Cornerstone', 'Lumen', 'Lumen'])
})

test('the initial theme has its files in its archive', async () => {
  const { list, download, unpacked } = await aThemeWorld()
  const [born] = await list()
  const entries = await unpacked(await download(born as Theme))
  expect(Object.keys(entries)).toContain('templates/pages/custom/category/landing.html')
  expect(configIn(entries)).toMatchObject({ name: 'Cornerstone', variations: [{ id: 'light', name: 'Light' }, {}, {}] })
})

test('the link of a download expires after sixty seconds', async () => {
  const { upload, download, store } = await aThemeWorld()
  const address = await download(await upload())
  expect((await fetch(address)).status).toBe(200)
  expect((await fetch(address.replace(/[^/]+\.zip$/, 'another.zip'))).status).toBe(403)
  const jobs = store.table('theme_jobs')
  const [row] = jobs.find({ kind: 'download' })
  jobs.update(row?.id ?? 0, { started_ms: Date.now() - 62_000, ready_ms: Date.now() - 61_000 })
  expect((await fetch(address)).status).toBe(403)
})

test('fault theme_link_expired: the link has expired', async () => {
  const { call, admin } = await aSandbox({ store: { switches: { theme_job_ms: 0 } } })
  const [born] = (await call('GET', THEMES)).body.data
  const { job_id } = (await call('POST', `${THEMES}/${born.uuid}/actions/download`, {})).body
  const { download_url } = (await call('GET', `${THEMES}/jobs/${job_id}`)).body.data.result
  await admin('POST', '/faults', { kind: 'theme_link_expired', times: 1 })
  expect((await fetch(download_url)).status).toBe(403)
  expect((await fetch(download_url)).status).toBe(200)
})

test('an activated variation is what its channel shows, with its files and its settings', async () => {
  const { upload, call, get, active, list } = await aThemeWorld()
  const theme = await upload({ files: ['brand/wide.html'], settings: { colour: 'blue' } })
  const before = await active()
  expect((await call('POST', ACTIVATE, { variation_id: theme.variations[0]?.uuid })).status).toBe(204)
  const now = await active()
  expect(now.active_theme_uuid).toBe(theme.uuid)
  expect(now.active_theme_version_uuid).not.toBe(before.active_theme_version_uuid)
  expect((await list()).map(({ is_active }) => is_active)).toEqual([false, true])
  expect((await get(`${THEMES}/custom-templates/${now.active_theme_version_uuid}`)).body.data).toEqual({
    product: [],
    category: [],
    brand: ['wide.html'],
    page: [],
  })
  const configurations = await get(`${THEMES}/${theme.uuid}/configurations?channel_id:in=1`)
  expect(configurations.body.data).toMatchObject([
    {
      uuid: now.active_theme_configuration_uuid,
      variation_id: theme.variations[0]?.uuid,
      settings: { shows_logo: true, colour: 'blue' },
    },
  ])
  await call('POST', ACTIVATE, { variation_id: theme.variations[0]?.uuid })
  expect(await active()).toEqual(now)
})

test('widgets and associations are checked against the active theme of their channel', async () => {
  const { upload, call, get, aBrand } = await aThemeWorld()
  const brand = aBrand('Lumen')
  const place = `/v3/content/page-widgets?channel_id=1&template_file=pages/custom/brand/wide`
  const association = { channel_id: 1, entity_type: 'brand', entity_id: brand, file_name: 'wide.html' }
  await call('PUT', '/v3/storefront/custom-template-associations', [association])
  const isValid = async () => (await get('/v3/storefront/custom-template-associations')).body.data[0].is_valid
  expect([(await get(place)).status, await isValid()]).toEqual([422, false])
  const { variations } = await upload({ files: ['brand/wide.html'] })
  await call('POST', ACTIVATE, { variation_id: variations[0]?.uuid })
  expect([(await get(place)).status, await isValid()]).toEqual([200, true])
})

test('last_activated downloads the settings that were activated, original those of the archive', async () => {
  const { upload, call, download, unpacked, store } = await aThemeWorld()
  const theme = await upload({ settings: { colour: 'blue' } })
  await call('POST', ACTIVATE, { variation_id: theme.variations[0]?.uuid })
  const configurations = store.table('theme_configurations')
  const [row] = configurations.find({ theme_uuid: theme.uuid })
  configurations.update(row?.id ?? 0, { settings: { ...(row?.settings as object), colour: 'red' } })
  const colourBy = async (which: string) =>
    configIn(await unpacked(await download(theme, { which }))).variations[0].settings.colour
  expect([await colourBy('last_activated'), await colourBy('original'), await colourBy('nonsense')]).toEqual([
    'red',
    'blue',
    'red',
  ])
})

test('a theme can be deleted unless a storefront shows it', async () => {
  const { upload, call, list } = await aThemeWorld()
  const { uuid, variations } = await upload()
  await call('POST', ACTIVATE, { variation_id: variations[1]?.uuid })
  expect((await call('DELETE', `${THEMES}/${uuid}`)).status).toBe(422)
  const [born] = await list()
  expect((await call('DELETE', `${THEMES}/${born?.uuid}`)).status).toBe(204)
  expect((await list()).map(({ name }) => name)).toEqual(['Lumen'])
})

test('switch theme_downloads: only the store’s own themes can be downloaded', async () => {
  const { upload, list, call, download } = await aThemeWorld({ theme_downloads: 'own' })
  const [born] = await list()
  const refused = await call('POST', `${THEMES}/${born?.uuid}/actions/download`, {})
  expect(refused.status).toBe(422)
  expect(refused.body.title).toContain('cannot be downloaded')
  expect(await download(await upload())).toContain('/theme_downloads/')
})

test.each([
  ['an unknown variation', { variation_id: 'none' }, ACTIVATE, 404],
  ['no variation', {}, ACTIVATE, 422],
  ['an unknown which', { variation_id: 'none', which: 'newest' }, ACTIVATE, 422],
  ['an unknown channel', { variation_id: 'none' }, `${THEMES}/actions/activate?channel_id=99`, 422],
])('%s cannot be activated', async (_what, body, path, status) => {
  const { call } = await aThemeWorld()
  expect((await call('POST', path, body)).status).toBe(status)
})
