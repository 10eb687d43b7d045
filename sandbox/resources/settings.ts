import { ok } from '../answers.ts'
import { objectBody, refuseIfAny, rowOr404 } from '../products/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields, withFallbacks } from '../products/field-rules.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../resource.ts'
import { SETTING_GROUPS, type SettingGroup } from '../settings/setting-groups.ts'
import type { Row, SandboxStore, Table } from '../store.ts'
import { channelsTable } from './channels.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_v2_information'
const GLOBAL = 0

function settingsTable(store: SandboxStore): Table {
  return store.table('settings', ['name', 'channel_id'])
}

function stored(store: SandboxStore, group: SettingGroup, channelId: number): Row | undefined {
  return settingsTable(store).find({ name: group.path, channel_id: channelId })[0]
}

/** Whose settings are asked for: a channel's, or those of the whole store. */
function channelOf(group: SettingGroup, { store, query }: SandboxRequest): number {
  const given = query.get('channel_id')
  if (given === null || group.globalOnly) return GLOBAL
  return rowOr404(channelsTable(store), Number(given)).id
}

/** A channel shows null for what it inherits. */
function shown(store: SandboxStore, group: SettingGroup, channelId: number): Body {
  const values: Body = { ...(stored(store, group, channelId)?.values as Body | undefined) }
  if (channelId === GLOBAL) return { ...group.readOnly, ...withFallbacks(rulesOf(store, group), values) }
  const inherited = Object.fromEntries(Object.keys(rulesOf(store, group)).map((field) => [field, null]))
  return { ...inherited, ...values }
}

function rulesOf(store: SandboxStore, { fields }: SettingGroup): FieldRules {
  return typeof fields === 'function' ? fields(store) : fields
}

/**
 * A channel's settings are put as a whole: null or nothing takes an override away. The store's own are never null, and
 * what is left out stays (our choice: the specification only says that partial updates are not supported).
 */
function put(group: SettingGroup, request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const channelId = channelOf(group, request)
  const body = objectBody(request.body)
  const given =
    channelId === GLOBAL ? body : Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  const { values, errors } = readFields(rulesOf(store, group), given)
  refuseIfAny({ ...complaintsAboutMissing(group.required ?? [], body), ...errors })
  const own = stored(store, group, channelId)
  const kept = channelId === GLOBAL ? (own?.values as Body | undefined) : {}
  const row = { name: group.path, channel_id: channelId, values: { ...kept, ...values } }
  if (own) settingsTable(store).update(own.id, row)
  else settingsTable(store).insert(row)
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
