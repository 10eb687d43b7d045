import { noContent, notFound, ok, Refusal, refuse } from '../http/answers.ts'
import { booleanIn, list, pageOf, paginationMeta, type Where } from '../http/listing.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../http/resource.ts'
import type { Row } from '../store/store.ts'
import { numberParam, objectBody } from '../validation/body-checks.ts'
import { hookEmailTable, hookTable, saveHook, shownHook } from './hook-rows.ts'
import { webhooksOf } from './webhooks.ts'

const HOOKS = '/v3/hooks'
const HOOK = `${HOOKS}/:hookId`
const ADMIN = `${HOOKS}/admin`
const FIELDS = ['scope', 'destination', 'is_active', 'headers']

/** A client sees only its own hooks. */
function ownHooks({ clientId, query }: SandboxRequest): { where: Where; keep: (row: Row) => boolean } {
  const isActive = booleanIn(query, 'is_active')
  const where = { client_id: clientId, ...(isActive === undefined ? {} : { is_active: isActive }) }
  const keep = (row: Row) =>
    ['scope', 'destination'].every((name) => !query.has(name) || query.get(name) === String(row[name]))
  return { where, keep }
}

function listHooks(request: SandboxRequest): SandboxAnswer {
  const { store, query } = request
  return list({ query, table: hookTable(store), ...ownHooks(request), idFilters: false, show: shownHook })
}

function namedHook(request: SandboxRequest): Row {
  const hook = hookTable(request.store).get(numberParam(request, 'hookId'))
  if (hook?.client_id === request.clientId) return hook
  throw new Refusal(notFound(`Webhook with id [${request.params.hookId}] not found`))
}

function create(request: SandboxRequest): SandboxAnswer {
  objectBody(request.body)
  return ok(shownHook(saveHook(request)))
}

function update(request: SandboxRequest): SandboxAnswer {
  const own = namedHook(request)
  const body = objectBody(request.body)
  if (!FIELDS.some((name) => body[name] !== undefined))
    refuse(422, 'At least one field is required to update a webhook', { '': 'error.path.missing' })
  return ok(shownHook(saveHook(request, own)))
}

function remove(request: SandboxRequest): SandboxAnswer {
  const hook = namedHook(request)
  hookTable(request.store).delete(hook.id)
  return ok(shownHook(hook))
}

function statusOf({ is_active, deactivated }: Row): string {
  if (is_active) return 'active'
  return deactivated ? 'deactivated' : 'inactive'
}

function overview(request: SandboxRequest): SandboxAnswer {
  const { store, clientId, query } = request
  const { where } = ownHooks(request)
  const at = pageOf(query)
  const { rows, total } = hookTable(store).page({ where, offset: at.offset, limit: at.limit })
  const data = {
    emails: hookEmailTable(store).find({ client_id: clientId })[0]?.emails ?? [],
    hooks_list: rows.map((row) => ({ ...shownHook(row), status: statusOf(row) })),
    blocked_domains: webhooksOf(store).blocked(clientId),
  }
  return ok(data, paginationMeta(query, at, rows.length, total))
}

/** Saves the addresses without sending a mail. */
function putEmails({ store, clientId, body }: SandboxRequest): SandboxAnswer {
  const { emails } = objectBody(body)
  const isAddress = (text: unknown) => typeof text === 'string' && /^[^\s@]+@[^\s@]+$/.test(text)
  if (!Array.isArray(emails) || !emails.every(isAddress))
    refuse(422, 'JSON data is missing or invalid', { emails: 'emails must be a list of addresses' })
  const table = hookEmailTable(store)
  const own = table.find({ client_id: clientId })[0]
  if (own) table.update(own.id, { emails })
  else table.insert({ client_id: clientId, emails })
  return noContent()
}

/** Webhooks need only the default scope, which every API account has. */
const read = { scope: 'store_v2_default', latency: 'read' } as const
const write = { scope: 'store_v2_default', latency: 'write' } as const

export const hooks: SandboxResource = {
  key: 'hooks',
  routes: [
    { method: 'GET', path: HOOKS, ...read, handle: listHooks },
    { method: 'POST', path: HOOKS, ...write, handle: create },
    { method: 'GET', path: ADMIN, ...read, handle: overview },
    { method: 'PUT', path: ADMIN, ...write, handle: putEmails },
    { method: 'GET', path: HOOK, ...read, handle: (request) => ok(shownHook(namedHook(request))) },
    { method: 'PUT', path: HOOK, ...write, handle: update },
    { method: 'DELETE', path: HOOK, ...write, handle: remove },
  ],
}
