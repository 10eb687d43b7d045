import { ok } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { objectBody, refuseIfAny, rowOr404 } from '../../validation/body-checks.ts'
import { type FieldRules, readFields } from '../../validation/field-rules.ts'
import { DEFAULT_CHANNEL_ID } from '../channels/channels.ts'
import { namedChannelOf } from './settings.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_v2_information'
const ALL = '/v3/settings/analytics'
const ONE = `${ALL}/:providerId`

/** Our choice: the platform has a fixed list of providers, but neither their names nor their ids are published. */
const PROVIDERS: { id: number; name: string; version: number }[] = [
  { id: 1, name: 'Google Analytics', version: 4 },
  { id: 2, name: 'Meta Pixel', version: 1 },
  { id: 3, name: 'Visual Website Optimizer', version: 1 },
]

const RULES: FieldRules = {
  code: { kind: 'text', min: 1 },
  data_tag_enabled: { kind: 'boolean' },
  enabled: { kind: 'boolean' },
  name: { kind: 'text', min: 1 },
  version: { kind: 'number' },
}

/** Values that were saved for a channel. A channel has no row before the first write. */
function providerTable(store: SandboxStore): Table {
  return store.table('analytics_providers', ['provider_id', 'channel_id'])
}

/** The channel of a request, by default the default channel. Source: the description of the published calls. */
function channelOf(request: SandboxRequest): number {
  return namedChannelOf(request) || DEFAULT_CHANNEL_ID
}

function ownRow({ store }: SandboxRequest, provider_id: number, channel_id: number): Row | undefined {
  return providerTable(store).find({ provider_id, channel_id })[0]
}

function shown(request: SandboxRequest, provider: { id: number }, channel_id: number): Body {
  const row: Row = ownRow(request, provider.id, channel_id) ?? { id: 0 }
  const { id: _id, provider_id: _provider, ...own } = row
  return { code: '', enabled: false, data_tag_enabled: false, api_secret: '', ...provider, ...own, channel_id }
}

function namedProvider({ store, params }: SandboxRequest): { id: number } {
  const provider = PROVIDERS.find(({ id }) => id === Number(params.providerId))
  return provider ?? rowOr404(providerTable(store), Number.NaN)
}

/** Answers without an envelope, unlike the list. Source: the published settings specification. */
function show(request: SandboxRequest): SandboxAnswer {
  return { status: 200, body: shown(request, namedProvider(request), channelOf(request)) }
}

function put(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const { id } = namedProvider(request)
  const channel_id = channelOf(request)
  const { values, errors } = readFields(RULES, objectBody(request.body))
  refuseIfAny(errors)
  const own = ownRow(request, id, channel_id)
  if (own) providerTable(store).update(own.id, values)
  else providerTable(store).insert({ provider_id: id, channel_id, ...values })
  return show(request)
}

export const analytics: SandboxResource = {
  key: 'analytics',
  routes: [
    {
      method: 'GET',
      path: ALL,
      scope: SCOPE,
      latency: 'read',
      handle: (request) => ok(PROVIDERS.map((provider) => shown(request, provider, channelOf(request)))),
    },
    { method: 'GET', path: ONE, scope: SCOPE, latency: 'read', handle: show },
    { method: 'PUT', path: ONE, scope: SCOPE, latency: 'write', handle: put },
  ],
}
