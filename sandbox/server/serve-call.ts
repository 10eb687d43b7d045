import { errorBody, Refusal, v2Error } from '../http/answers.ts'
import { parseBody, type ReadableBody } from '../http/request-body.ts'
import type { SandboxAnswer, SandboxRoute } from '../http/resource.ts'
import type { Router } from '../http/router.ts'
import { shapedRefusal } from '../images/picture-refusal.ts'
import { rememberRows, storeBehind } from '../store/store-behind.ts'
import { refusedFields, refusedParameters } from '../validation/unknown-parameters.ts'
import type { Account } from './accounts.ts'
import { misbehave, QUOTA_USED_UP, untilReleased } from './misbehave.ts'
import { isAllowed } from './scopes.ts'
import { type Call, errorOf, errorOfBody, send, sendOverloaded } from './send-answer.ts'
import { sleep } from './sleep.ts'
import type { Routed, StoreHost } from './store-host.ts'

export interface CallParts {
  router: Router
  random: () => number
  /** Cuts delays short when the sandbox closes. */
  closing: AbortSignal
}

const NO_SCOPE = "You don't have a required scope to access the endpoint"

/** The latency varies by up to this share either way. */
const JITTER = 0.3

/** Makes the checks in the platform's order. The first that fails decides the answer. */
export async function serveCall(parts: CallParts, call: Call): Promise<void> {
  const { host, request } = call
  const fail = (status: number, title: string) => send(call, errorOf(call, status, title))
  const account = host.accounts.byToken(String(request.headers['x-auth-token'] ?? ''))
  if (!account) return fail(401, 'Unauthorized')
  if (!host.quota.take()) return fail(429, QUOTA_USED_UP)
  const routed = parts.router.match(call.method, call.path)
  if (routed === 'no such path') return fail(404, 'The route is not found, check the URL')
  if (routed === 'wrong method') return sendMethods(parts, call)
  if (!isAllowed(routed.route, account.scopes)) return fail(403, NO_SCOPE)
  if (host.store.switches.unknown_parameters !== 'ignore') {
    const refused = refusedParameters(routed.route, call.query)
    if (refused) return send(call, refused)
  }
  const read = await parseBody(request, call.bytes, routed.route.form)
  if ('problem' in read) return send(call, errorOfBody(call, read))
  const refused = host.store.switches.unknown_fields !== 'ignore' && refusedFields(routed.route, read.body)
  if (refused) return send(call, refused)
  if (exceedsCap(call)) return fail(413, 'The request asks for too many objects.')
  if (!host.enter(routed.route)) return sendOverloaded(call)
  let left = false
  const leave = () => {
    if (!left) host.leave(routed.route)
    left = true
  }
  call.response.once('close', leave)
  try {
    await serveWithFault(parts, call, { account, routed, read })
  } finally {
    leave()
  }
}

/**
 * The largest page of a catalogue list. The sources do not say whether the platform reduces or refuses a larger limit
 * (switch `over_limit`).
 */
const MOST_PER_PAGE = 250

function exceedsCap({ host, method, query }: Call): boolean {
  if (host.store.switches.over_limit !== 'refuse' || method !== 'GET') return false
  return Number(query.get('limit') ?? 0) > MOST_PER_PAGE
}

/** Answers OPTIONS with the methods of the path, and a method that the path does not have with 405. */
function sendMethods({ router }: CallParts, call: Call): void {
  const Allow = router.methodsOf(call.path).join(', ')
  send(call, call.method === 'OPTIONS' ? { status: 204 } : methodNotAllowed(call), { Allow })
}

/** Source: MethodNotAllowedError of the published products specification. */
function methodNotAllowed({ method, path }: Call): SandboxAnswer {
  const title = 'Method Not Allowed'
  if (path.startsWith('/v2/')) return v2Error(405, title)
  return { status: 405, body: { ...errorBody(405, title), detail: `${method} is not a method of this path` } }
}

/** The results of the checks. */
interface Checked {
  account: Account
  routed: Routed
  read: ReadableBody
}

async function serveWithFault(parts: CallParts, call: Call, checked: Checked): Promise<void> {
  const apply = () => handle(call, checked, parts.random)
  const { faults, sentinels } = call.host
  const mishap = faults.pick(call) ?? sentinels.pick(call)
  // From here on the fault shows a hit, so a release counts for this call even before it is carried out.
  const released = mishap?.kind === 'hold_after_applying' ? untilReleased(call) : undefined
  await sleep(latencyOf(parts, call.host, checked.routed.route), parts.closing)
  if (parts.closing.aborted) return
  if (mishap) return misbehave(call, mishap, apply, { closing: parts.closing, released })
  sendIfNew(call, checked.account, await apply())
}

/** v2 answers 304 if the client already has the current answer. Source: the 304 of BigCommerce "API status codes". */
function sendIfNew(call: Call, { clientId }: Account, answer: SandboxAnswer): void {
  if (call.method !== 'GET' || answer.status !== 200 || !call.path.startsWith('/v2/')) {
    send(call, answer)
    return
  }
  const changedMs = call.host.answerTimes.lastModifiedMs(`${call.path}?${call.query}`, clientId, answer.body)
  const knownMs = Date.parse(call.request.headers['if-modified-since'] ?? '')
  const headers = { 'Last-Modified': new Date(changedMs).toUTCString() }
  send(call, knownMs >= changedMs ? { status: 304 } : answer, headers)
}

function latencyOf({ random }: CallParts, { latencyMs, store }: StoreHost, route: SandboxRoute): number {
  const base = latencyMs[route.latency] + (isList(route) ? Number(store.switches.slow_lists_ms ?? 0) : 0)
  return base === 0 ? 0 : base * (1 + JITTER * (2 * random() - 1))
}

/** A path that ends in a name, not in a parameter, is a list or resembles one. */
function isList({ method, path }: SandboxRoute): boolean {
  return method === 'GET' && !/:[^/]+$/.test(path)
}

async function handle(
  { host, method, query }: Call,
  { account, routed, read }: Checked,
  random: () => number,
): Promise<SandboxAnswer> {
  const { clientId, scopes } = account
  if (method !== 'GET') rememberRows(host.store)
  try {
    return await routed.route.handle({
      store: isList(routed.route) ? storeBehind(host.store, random()) : host.store,
      clientId,
      scopes,
      method,
      params: routed.params,
      query,
      ...read,
    })
  } catch (error) {
    if (error instanceof Refusal) return shapedRefusal(host.store, error.answer)
    throw error
  }
}
