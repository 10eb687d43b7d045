import { refuse } from '../http/answers.ts'
import type { SandboxRequest } from '../http/resource.ts'
import type { Row, SandboxStore, Table } from '../store/store.ts'
import { DELIVERY_EXCEPTION, isKnownScope } from './event-scopes.ts'

type Body = Record<string, unknown>

const INVALID = 'JSON data is missing or invalid'
/** Source: the platform limits of BigCommerce "Webhooks overview". */
const MOST_PER_SCOPE = 10

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
/** Headers that deliveries set themselves, so a hook cannot. */
const OWN_HEADERS = ['connection', 'content-length', 'host', 'transfer-encoding', 'upgrade']

/** The hooks of all clients of a store. `deactivated` means that failed deliveries switched the hook off. */
export function hookTable(store: SandboxStore): Table {
  return store.table('hooks', ['client_id', 'scope', 'is_active'])
}

/** Addresses for mails about hooks that were switched off, one row per client. The sandbox sends no mails. */
export function hookEmailTable(store: SandboxStore): Table {
  return store.table('hook_emails', ['client_id'])
}

export function unixNow(): number {
  return Math.floor(Date.now() / 1000)
}

/** `webhook_Full` of the published specification. */
export function shownHook({ deactivated: _why, ...hook }: Row): Body {
  return hook
}

/** Saves the body as a new hook, or as a change of `own`. */
export function saveHook({ store, clientId, body }: SandboxRequest, own?: Row): Row {
  const given = body as Body
  const fields = Object.fromEntries(
    ['scope', 'destination', 'is_active', 'headers'].flatMap((name) =>
      given[name] === undefined ? [] : [[name, given[name]]],
    ),
  )
  const requested: Body = { is_active: true, headers: null, ...own, ...fields }
  refuseInvalid(requested)
  refuseTooMany(store, { ...requested, client_id: clientId }, own)
  // A write to a hook clears its failures.
  const saved = { ...requested, deactivated: false, updated_at: unixNow() }
  if (own) return hookTable(store).update(own.id, saved)
  return hookTable(store).insert({ client_id: clientId, store_hash: store.hash, created_at: unixNow(), ...saved })
}

function refuseInvalid(requested: Body): void {
  const errors: Record<string, string> = {}
  const complain = (field: string, complaint: string | undefined) => {
    if (complaint) errors[field] = complaint
  }
  complain('scope', complaintAboutScope(requested.scope))
  complain('destination', complaintAboutDestination(requested.destination))
  complain('is_active', typeof requested.is_active === 'boolean' ? undefined : 'error.expected.jsboolean')
  complain('headers', complaintAboutHeaders(requested.headers))
  if (Object.keys(errors).length > 0) refuse(422, INVALID, errors)
}

function complaintAboutScope(scope: unknown): string | undefined {
  if (scope === undefined) return 'error.path.missing'
  if (typeof scope !== 'string') return 'error.expected.jsstring'
  return isKnownScope(scope) ? undefined : `Unknown event ${scope}`
}

function complaintAboutDestination(destination: unknown): string | undefined {
  if (destination === undefined) return 'error.path.missing'
  if (typeof destination !== 'string') return 'error.expected.jsstring'
  return isLoopback(destination) ? undefined : `The sandbox delivers to ${LOOPBACK.join(', ')} only: it never calls out`
}

/** Judged by the address alone, without looking up the name. */
export function isLoopback(destination: string): boolean {
  const url = URL.canParse(destination) ? new URL(destination) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && LOOPBACK.includes(url.hostname)
}

function complaintAboutHeaders(headers: unknown): string | undefined {
  if (headers === null) return undefined
  if (typeof headers !== 'object' || Array.isArray(headers)) return 'error.expected.jsobject'
  for (const [name, value] of Object.entries(headers as Body)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || OWN_HEADERS.includes(name.toLowerCase())) return `${name} cannot be sent`
    if (typeof value !== 'string' || /[^\t\x20-\x7e\x80-\xff]/.test(value))
      return `${name} must be a string of one line`
  }
  return undefined
}

/** Source: the platform limits of BigCommerce "Webhooks overview". Status and wording are our choice. */
function refuseTooMany(store: SandboxStore, { client_id, scope, destination }: Body, own?: Row): void {
  const others = hookTable(store)
    .find({ client_id: String(client_id) })
    .filter((hook) => hook.id !== own?.id)
  const alike = others.filter((hook) => hook.scope === scope)
  if (alike.some((hook) => hook.destination === destination))
    refuse(422, 'There is a webhook of this scope and destination already', { destination: 'is already used' })
  if (alike.length >= MOST_PER_SCOPE)
    refuse(422, `A client can have at most ${MOST_PER_SCOPE} webhooks of one scope`, { scope: 'has too many webhooks' })
  if (scope === DELIVERY_EXCEPTION) refuseSecondListener(alike, others, destination)
}

/** Source: "Delivery exception hooks" of BigCommerce "Webhook events". */
function refuseSecondListener(alike: Row[], others: Row[], destination: unknown): void {
  if (alike.length > 0) refuse(422, `A client has one webhook of ${DELIVERY_EXCEPTION}`, { scope: 'is already used' })
  if (others.some((hook) => hook.destination === destination))
    refuse(422, 'Failed deliveries are reported to another destination', { destination: 'is already used' })
}
