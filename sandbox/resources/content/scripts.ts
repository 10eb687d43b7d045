import { noContent, ok, refuse } from '../../http/answers.ts'
import { list, numbersIn } from '../../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { Row } from '../../store/store.ts'
import { objectBody, refuseIfAny } from '../../validation/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { channelsTable } from '../channels/channels.ts'
import { insertScript, scriptTable } from './script-rows.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_v2_content'
const SCRIPTS = '/v3/content/scripts'
const SCRIPT = `${SCRIPTS}/:uuid`

/** Source: `script_Base` of the published scripts specification. */
const RULES: FieldRules = {
  name: { kind: 'text', min: 1, max: 255 },
  description: { kind: 'text' },
  html: { kind: 'text', max: 65_536 },
  src: { kind: 'text' },
  auto_uninstall: { kind: 'boolean' },
  load_method: { kind: 'text', oneOf: ['default', 'async', 'defer'] },
  location: { kind: 'text', oneOf: ['head', 'footer'] },
  visibility: { kind: 'text', oneOf: ['storefront', 'all_pages', 'checkout', 'order_confirmation'] },
  kind: { kind: 'text', oneOf: ['src', 'script_tag'] },
  consent_category: { kind: 'text', oneOf: ['unknown', 'essential', 'functional', 'analytics', 'targeting'] },
  enabled: { kind: 'boolean' },
  channel_id: { kind: 'integer', min: 1 },
  integrity_hashes: { kind: 'texts', max: 5 },
}

/** Source: "Limits" and "Notes" of the published operation. */
const MOST_OF_CHANNEL = 50
const MOST_OF_APP = 10

const SORTS = ['name', 'description', 'date_created', 'date_modified']

function now(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z')
}

function shown({ id: _id, client_id, ...row }: Row): Body {
  return { ...row, api_client_id: client_id }
}

/** A client sees only its own scripts. */
function listScripts({ store, query, clientId }: SandboxRequest): SandboxAnswer {
  const channels = numbersIn(query, 'channel_id:in')
  const sort = query.get('sort')
  if (sort !== null && !SORTS.includes(sort)) refuse(422, `sort must be one of: ${SORTS.join(', ')}`)
  const turn = query.get('direction') === 'desc' ? -1 : 1
  return list({
    query,
    table: scriptTable(store),
    where: { client_id: clientId, ...(channels && { channel_id: channels }) },
    ...(sort !== null && { order: (a: Row, b: Row) => turn * (String(a[sort]) < String(b[sort]) ? -1 : 1) }),
    idFilters: false,
    show: shown,
  })
}

function named({ store, params, clientId }: SandboxRequest): Row {
  const own = scriptTable(store).find({ uuid: String(params.uuid), client_id: clientId })[0]
  return own ?? refuse(404, 'The script was not found')
}

/** Depending on its kind, a script has an address or markup. Source: "Notes" of the published operation. */
function complaintsAboutKind({ kind, src, html, load_method, integrity_hashes }: Body): Record<string, string> {
  const isAddress = kind !== 'script_tag'
  const complaints: Record<string, string> = {}
  if (isAddress && !/^(https?:)?\/\/\S+$/i.test(String(src ?? ''))) complaints.src = 'src must be an address'
  if (isAddress && html) complaints.html = 'html is not allowed for kind src'
  if (isAddress) return complaints
  if (src) complaints.src = 'src is not allowed for kind script_tag'
  if (String(html ?? '').match(/<script[\s>]/gi)?.length !== 1)
    complaints.html = 'html must contain exactly one script tag'
  if (load_method !== 'default') complaints.load_method = 'load_method must be default for kind script_tag'
  if (Array.isArray(integrity_hashes) && integrity_hashes.length > 0)
    complaints.integrity_hashes = 'integrity_hashes are for kind src'
  return complaints
}

function saved(request: SandboxRequest, own?: Row): Row {
  const { store, clientId } = request
  const given = objectBody(request.body)
  const { values, errors } = readFields(RULES, given)
  refuseIfAny({ ...(own ? {} : complaintsAboutMissing(['name'], given)), ...errors })
  const whole: Body = { kind: 'src', load_method: 'default', channel_id: 1, ...own, ...values }
  refuseIfAny(complaintsAboutKind(whole))
  if (!channelsTable(store).get(Number(whole.channel_id)))
    refuseIfAny({ channel_id: `channel ${whole.channel_id} does not exist` })
  if (own) return scriptTable(store).update(own.id, { ...values, date_modified: now() })
  if (scriptTable(store).count({ client_id: clientId }) >= MOST_OF_APP)
    refuse(422, `An app can have ${MOST_OF_APP} scripts.`)
  if (scriptTable(store).count({ channel_id: Number(whole.channel_id) }) >= MOST_OF_CHANNEL)
    refuse(422, `A channel can have ${MOST_OF_CHANNEL} scripts.`)
  return insertScript(store, values, clientId, now())
}

function remove(request: SandboxRequest): SandboxAnswer {
  scriptTable(request.store).delete(named(request).id)
  return noContent()
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const scripts: SandboxResource = {
  key: 'scripts',
  routes: [
    { method: 'GET', path: SCRIPTS, ...read, handle: listScripts },
    { method: 'POST', path: SCRIPTS, ...write, handle: (request) => ok(shown(saved(request))) },
    { method: 'GET', path: SCRIPT, ...read, handle: (request) => ok(shown(named(request))) },
    { method: 'PUT', path: SCRIPT, ...write, handle: (request) => ok(shown(saved(request, named(request)))) },
    { method: 'DELETE', path: SCRIPT, ...write, handle: remove },
  ],
}
