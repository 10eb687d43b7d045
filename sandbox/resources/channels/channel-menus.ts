import { notFound, ok, Refusal } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { numberParam, objectBody, refuseIfAny } from '../../validation/body-checks.ts'
import { jsonComplaints } from '../../validation/json-checks.ts'
import { channelsTable } from './channels.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_channel_settings'
const PATH = '/v3/channels/:channelId/channel-menus'

/** Pages of the control panel that an app may add to its own menu. Source: the published channels specification. */
const SECTIONS = [
  ...['overview', 'storefront_settings', 'localization', 'carousel', 'script_manager', 'currencies', 'payments'],
  ...['checkout', 'domains', 'notifications', 'social', 'pages', 'data_solutions'],
]

function menuTable(store: SandboxStore): Table {
  return store.table('channel_menus', ['channel_id'])
}

function namedChannel(request: SandboxRequest): Row {
  const channel = channelsTable(request.store).get(numberParam(request, 'channelId'))
  if (!channel) throw new Refusal(notFound('Not found'))
  return channel
}

function menuOf({ store }: SandboxRequest, channelId: number): Row | undefined {
  return menuTable(store).find({ channel_id: channelId })[0]
}

/** A channel without menus has two empty lists (our choice). */
function shown(row: Body = {}): Body {
  const { bigcommerce_protected_app_sections = [], custom_app_sections = [] } = row
  return { bigcommerce_protected_app_sections, custom_app_sections }
}

function complaintsAbout({ bigcommerce_protected_app_sections: sections = [], custom_app_sections: own = [] }: Body) {
  const complaints: Record<string, string> = {}
  if (!Array.isArray(sections) || !sections.every((section) => SECTIONS.includes(String(section))))
    complaints.bigcommerce_protected_app_sections = `must be a list of: ${SECTIONS.join(', ')}`
  if (!Array.isArray(own)) return { ...complaints, custom_app_sections: 'error.expected.jsarray' }
  const fields = { title: 'jsstring', query_path: 'jsstring' } as const
  const inside = own.map((section, index) => jsonComplaints(fields, section, `custom_app_sections.${index}`))
  return Object.assign(complaints, ...inside) as Record<string, string>
}

function replace(request: SandboxRequest): SandboxAnswer {
  const channel = namedChannel(request)
  const body = objectBody(request.body)
  refuseIfAny(complaintsAbout(body))
  const table = menuTable(request.store)
  const own = menuOf(request, channel.id)
  const row = { channel_id: channel.id, ...shown(body) }
  return ok(shown(own ? table.update(own.id, row) : table.insert(row)))
}

function remove(request: SandboxRequest): SandboxAnswer {
  const channel = namedChannel(request)
  const own = menuOf(request, channel.id)
  if (own) menuTable(request.store).delete(own.id)
  return ok(channel.id)
}

const write = { scope: SCOPE, latency: 'write' } as const

export const channelMenus: SandboxResource = {
  key: 'channel-menus',
  routes: [
    {
      method: 'GET',
      path: PATH,
      scope: SCOPE,
      latency: 'read',
      handle: (request) => ok(shown(menuOf(request, namedChannel(request).id))),
    },
    { method: 'POST', path: PATH, ...write, handle: replace },
    { method: 'DELETE', path: PATH, ...write, handle: remove },
  ],
}
