import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { SandboxAnswer } from '../http/resource.ts'
import { forgetImages } from '../images/images.ts'
import type { StoreHost } from '../server/store-host.ts'
import type { SqliteStore } from '../store/sqlite-store.ts'
import { complaintAboutSwitches } from '../store/switches.ts'
import { webhooksOf } from '../webhooks/webhooks.ts'
import { changeAccount, listAccounts } from './admin-accounts.ts'
import { done, refused } from './admin-answers.ts'
import { listRequests } from './admin-requests.ts'
import { doubleRow } from './double-row.ts'

export interface AdminParts {
  hosts: Map<string, StoreHost>
  adminToken: string
}

interface AdminCall {
  host: StoreHost
  query: URLSearchParams
  body: Record<string, unknown>
}

type AdminAction = (call: AdminCall) => SandboxAnswer

const ACTIONS: Record<string, AdminAction> = {
  'GET state': ({ host }) => done(stateOf(host.store)),
  'POST state': ({ host, body }) => changeState(host.store, body),
  'GET requests': ({ host, query }) => listRequests(host, query),
  'DELETE requests': ({ host }) => {
    host.log.reset()
    return done({})
  },
  'GET faults': ({ host }) => done(host.faults.list()),
  'POST faults': ({ host, body }) => {
    const added = host.faults.add(body)
    forgetImages()
    return typeof added === 'number' ? done({ id: added }) : refused(400, added)
  },
  'DELETE faults': ({ host }) => {
    host.faults.clear()
    return done({})
  },
  'POST release': ({ host }) => done({ released: host.release() }),
  'GET accounts': ({ host }) => listAccounts(host),
  'POST token': ({ host, body }) => changeAccount(host, body),
  'GET switches': ({ host }) => done(host.store.switches),
  'POST switches': ({ host, body }) => changeSwitches(host.store, body),
  'GET deliveries': ({ host }) => done({ deliveries: webhooksOf(host.store).deliveries() }),
}

/** The admin API, which the platform does not have: reads and changes a store's rows, and injects faults. */
export function handleAdmin(
  parts: AdminParts,
  request: IncomingMessage,
  path: string,
  query: URLSearchParams,
  rawBody: string,
): SandboxAnswer {
  const refusal = adminRefusal(parts, request)
  if (refusal) return refusal
  const [, , stores, hash, subject, ...more] = path.split('/')
  const host = stores === 'stores' && more.length === 0 ? parts.hosts.get(hash ?? '') : undefined
  const action = ACTIONS[`${request.method} ${subject}`]
  if (!host || !action) return refused(404, 'No such admin path')
  const body = readAdminBody(request, rawBody)
  return 'refusal' in body ? body.refusal : action({ host, query, body: body.body })
}

export function readAdminBody(
  { headers }: IncomingMessage,
  text: string,
): { body: Record<string, unknown> } | { refusal: SandboxAnswer } {
  if (text.length > 0 && !/^application\/json\b/i.test(headers['content-type'] ?? ''))
    return { refusal: refused(415, 'The admin API accepts JSON only') }
  const body = parseObject(text)
  return body ? { body } : { refusal: refused(400, 'The body is not a JSON object') }
}

/** The answer to an unauthorised request; undefined if the request has the admin token. */
export function adminRefusal({ adminToken }: AdminParts, { headers }: IncomingMessage): SandboxAnswer | undefined {
  if (!isLoopbackHost(headers.host)) return refused(403, 'The admin API requires a loopback Host header')
  if (!sameToken(headers['x-sandbox-admin'], adminToken)) return refused(401, 'X-Sandbox-Admin is wrong')
  return undefined
}

function isLoopbackHost(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(host ?? '')
}

/** Compares digests, so that timing reveals neither the token nor its length. */
function sameToken(given: string | string[] | undefined, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(expected))
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function stateOf(store: SqliteStore) {
  return Object.fromEntries(store.tableNames().map((name) => [name, store.table(name).find({})]))
}

function changeState(store: SqliteStore, { op, table: name, id, fields }: Record<string, unknown>): SandboxAnswer {
  if (typeof name !== 'string' || !store.tableNames().includes(name)) return refused(404, `No table ${name}`)
  const table = store.table(name)
  const row = table.get(Number(id))
  if (!row) return refused(404, `Table ${name} has no row ${id}`)
  switch (op) {
    case 'set':
      if (typeof fields !== 'object' || fields === null) return refused(400, 'fields must be an object')
      return done(table.update(row.id, { ...fields }))
    case 'remove':
      table.delete(row.id)
      return done({})
    case 'double':
      return done({ id: store.transaction(() => doubleRow(store, name, row.id)) })
    default:
      return refused(400, 'op must be set, remove or double')
  }
}

/** null restores the default. */
function changeSwitches({ switches }: SqliteStore, values: Record<string, unknown>): SandboxAnswer {
  const complaint = complaintAboutSwitches(values)
  if (complaint) return refused(400, complaint)
  for (const [name, value] of Object.entries(values)) {
    if (value === null) delete switches[name]
    else switches[name] = value
  }
  forgetImages()
  return done(switches)
}
