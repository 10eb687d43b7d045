import { ok } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { SandboxStore } from '../../store/store.ts'
import { objectBody, refuseIfAny, rowOr404 } from '../../validation/body-checks.ts'
import { complaintsAboutMissing } from '../../validation/field-rules.ts'
import { channelsTable } from '../channels/channels.ts'
import { readSettings, withSettingFallbacks } from './read-settings.ts'
import { SETTING_GROUPS, type SettingFields, type SettingGroup } from './setting-groups.ts'
import { GLOBAL, settingPicture, storedSettings, writeSettings } from './stored-settings.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_v2_information'
/** The channel whose settings are requested; GLOBAL for the whole store's. */
function channelOf(group: SettingGroup, request: SandboxRequest): number {
  return group.globalOnly ? GLOBAL : namedChannelOf(request)
}

/**
 * The channel in the path (`:channelId`).
 * @throws a 404 if there is none
 */
export function channelOfPath({ store, params }: SandboxRequest): number {
  return rowOr404(channelsTable(store), Number(params.channelId)).id
}

/** The channel in the query; GLOBAL if there is none. */
export function namedChannelOf({ store, query }: SandboxRequest): number {
  const given = query.get('channel_id')
  return given === null ? GLOBAL : rowOr404(channelsTable(store), Number(given)).id
}

/** What a channel inherits is null. */
function shown(store: SandboxStore, group: SettingGroup, channelId: number): Body {
  const own = storedSettings(store, group.path, channelId)
  const values: Body = { ...(own?.values as Body | undefined) }
  const pictures = picturesOf(store, group, channelId)
  if (channelId === GLOBAL) return { ...pictures, ...withSettingFallbacks(fieldsOf(store, group), values) }
  const inherited = Object.fromEntries(Object.keys(fieldsOf(store, group)).map((field) => [field, null]))
  return { ...pictures, ...inherited, ...values }
}

/** One group of the store's own settings, as a GET without a channel returns it. */
export function globalSettings(store: SandboxStore, path: string): Body {
  const group = SETTING_GROUPS.find((one) => one.path === path)
  return group ? shown(store, group, GLOBAL) : {}
}

function picturesOf(store: SandboxStore, group: SettingGroup, channelId: number): Body {
  const none = channelId === GLOBAL ? '' : null
  const address = (field: string) => settingPicture(store, field, channelId) ?? none
  return Object.fromEntries((group.pictures ?? []).map((field) => [field, address(field)]))
}

function fieldsOf(store: SandboxStore, { fields }: SettingGroup): SettingFields {
  return typeof fields === 'function' ? fields(store) : fields
}

/**
 * Replaces all settings of a channel: fields that are null or absent are inherited again. The store's own are never
 * null, and absent ones stay (our choice: the specification only says that partial updates are not supported).
 */
function put(group: SettingGroup, request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const channelId = channelOf(group, request)
  const body = objectBody(request.body)
  const given =
    channelId === GLOBAL ? body : Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  const kept = channelId === GLOBAL ? (storedSettings(store, group.path, GLOBAL)?.values as Body | undefined) : {}
  const { values, errors } = readSettings(fieldsOf(store, group), given, kept)
  refuseIfAny({ ...complaintsAboutMissing(group.required ?? [], body), ...errors })
  writeSettings(store, { name: group.path, channel_id: channelId, values: { ...kept, ...values } })
  return ok(shown(store, group, channelId))
}

export const settings: SandboxResource = {
  key: 'settings',
  routes: SETTING_GROUPS.flatMap((group) => {
    const path = `/v3/settings/${group.path}`
    return [
      {
        method: 'GET' as const,
        path,
        scope: SCOPE,
        latency: 'read' as const,
        handle: (request: SandboxRequest) => ok(shown(request.store, group, channelOf(group, request))),
      },
      {
        method: 'PUT' as const,
        path,
        scope: SCOPE,
        latency: 'write' as const,
        handle: (request: SandboxRequest) => put(group, request),
      },
    ]
  }),
}
