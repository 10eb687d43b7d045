import { noContent, notFound, ok, Refusal, refuse } from '../../http/answers.ts'
import { numbersIn, pageOf, textsIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { SandboxStore } from '../../store/store.ts'
import { objectBody } from '../../validation/body-checks.ts'
import { DEFAULT_CHANNEL_ID } from '../channels/channels.ts'
import { readArchive } from './theme-archive.ts'
import { begin, doneAt, jobShown, uploadsNow } from './theme-jobs.ts'
import {
  activate,
  configurationsOf,
  deleteTheme,
  insertTheme,
  isActive,
  isThemed,
  siteOf,
  type Theme,
  themeBy,
  themesOf,
  WHICH,
  type Which,
} from './theme-rows.ts'

const PATH = '/v3/themes'
const THEME = `${PATH}/:uuid`
const SCOPE = 'store_themes_manage'

/** Source: the support articles on themes. The error message is the one that the official theme tool expects. */
const MOST_THEMES = 20
const MOST_ARCHIVE_BYTES = 50 * 1024 * 1024

function shown(store: SandboxStore, { uuid, name, is_private, updated_at, variations }: Theme) {
  return {
    uuid,
    variations: variations.map(({ settings: _settings, ...variation }) => variation),
    name,
    is_private,
    is_active: isActive(store, uuid),
    updated_at,
  }
}

function namedTheme({ store, params }: SandboxRequest): Theme {
  const theme = themeBy(store, params.uuid ?? '')
  if (!theme) throw new Refusal(notFound(`There is no theme ${params.uuid}.`))
  return theme
}

function upload({ store, files }: SandboxRequest): SandboxAnswer {
  const file = files.get('file')
  if (!file) return refuse(422, 'file is required', { file: 'file is required' })
  if (file.bytes.length > MOST_ARCHIVE_BYTES) refuse(413, 'The theme is larger than 50 MB.')
  if (themesOf(store).length >= MOST_THEMES) refuse(409, 'You have reached your upload limit of themes.')
  if (uploadsNow(store)) refuse(409, 'A theme upload is in progress already.')
  const read = readArchive(file.bytes)
  const readyMs = doneAt(store)
  const job_id = store.transaction(() => {
    if ('errors' in read) return begin(store, { kind: 'upload', theme_uuid: '', errors: read.errors }, readyMs)
    const theme_uuid = insertTheme(store, read, file.bytes, readyMs)
    return begin(store, { kind: 'upload', theme_uuid }, readyMs)
  })
  return { status: 201, body: { job_id } }
}

/** It is not documented which themes cost money, or what the answer for a purchased one is. */
function download(request: SandboxRequest): SandboxAnswer {
  const { store, body } = request
  const theme = namedTheme(request)
  if (store.switches.theme_downloads === 'own' && !theme.is_private)
    refuse(422, `The theme ${theme.name} cannot be downloaded: its licence is for this store only.`)
  const { which } = body === undefined ? {} : objectBody(body)
  // Source: WhichThemeToDownload, for the default if the value is missing or invalid.
  const requested = WHICH.find((one) => one === which) ?? 'last_activated'
  return {
    status: 200,
    body: { job_id: begin(store, { kind: 'download', theme_uuid: theme.uuid, which: requested }, doneAt(store)) },
  }
}

function activateVariation({ store, body, query }: SandboxRequest): SandboxAnswer {
  const channelId = numbersIn(query, 'channel_id')?.[0] ?? DEFAULT_CHANNEL_ID
  const { variation_id, which = 'original' } = objectBody(body)
  if (typeof variation_id !== 'string') refuse(422, 'variation_id is required', { variation_id: 'required' })
  if (!WHICH.includes(which as Which)) refuse(422, `which must be one of ${WHICH.join(', ')}`, { which: 'unknown' })
  if (!isThemed(store, channelId))
    refuse(422, `Channel ${channelId} shows no theme`, { channel_id: 'is no storefront of the platform' })
  const variation = themesOf(store)
    .flatMap(({ variations }) => variations)
    .find(({ uuid }) => uuid === variation_id)
  if (!variation) return notFound(`There is no variation ${variation_id}.`)
  store.transaction(() => activate(store, channelId, variation, which as Which))
  return noContent()
}

function remove(request: SandboxRequest): SandboxAnswer {
  const { uuid } = namedTheme(request)
  if (isActive(request.store, uuid)) refuse(422, 'A theme that a storefront shows cannot be deleted.')
  request.store.transaction(() => deleteTheme(request.store, uuid))
  return noContent()
}

function listConfigurations(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  const theme = namedTheme(request)
  const uuids = textsIn(query, 'uuid:in')
  const channels = numbersIn(query, 'channel_id:in')
  const variation = query.get('variation_uuid')
  if (!uuids && !channels && variation === null) refuse(422, 'At least one filter is required', { filter: 'required' })
  const sites = channels?.map((channelId) => siteOf(store, channelId))
  const found = configurationsOf(store, theme).filter(
    ({ uuid, site_id, variation_id }) =>
      (!uuids || uuids.includes(uuid)) &&
      (!sites || (site_id !== 0 && sites.includes(site_id))) &&
      (variation === null || variation_id === variation),
  )
  const { page, limit } = pageOf(query)
  return ok(found.slice((page - 1) * limit, page * limit))
}

export const themes: SandboxResource = {
  key: 'themes',
  routes: [
    {
      method: 'GET',
      path: PATH,
      scope: SCOPE,
      latency: 'read',
      handle: ({ store }) => ok(themesOf(store).map((theme) => shown(store, theme))),
    },
    { method: 'POST', path: PATH, scope: SCOPE, latency: 'heavy', form: 'only', handle: upload },
    {
      method: 'GET',
      path: THEME,
      scope: SCOPE,
      latency: 'read',
      handle: (request) => ok(shown(request.store, namedTheme(request))),
    },
    { method: 'DELETE', path: THEME, scope: SCOPE, latency: 'write', handle: remove },
    { method: 'POST', path: `${THEME}/actions/download`, scope: SCOPE, latency: 'write', handle: download },
    { method: 'POST', path: `${PATH}/actions/activate`, scope: SCOPE, latency: 'write', handle: activateVariation },
    { method: 'GET', path: `${THEME}/configurations`, scope: SCOPE, latency: 'read', handle: listConfigurations },
    {
      method: 'GET',
      path: `${PATH}/jobs/:jobId`,
      scope: SCOPE,
      latency: 'read',
      handle: ({ store, params }) => {
        const job = jobShown(store, params.jobId ?? '')
        return job ? ok(job) : notFound(`There is no job ${params.jobId}.`)
      },
    },
  ],
}
