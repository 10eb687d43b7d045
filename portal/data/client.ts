import createClient from 'openapi-fetch'
import type { components, paths } from './schema.d.ts'

export type ErrorCode = components['schemas']['Error']['error']

/** An error response of the API, as data. `errors.ts` turns it into a sentence. */
export class ApiError extends Error {
  readonly httpStatus: number
  readonly code: ErrorCode | 'offline'
  readonly errors: Record<string, string[]>
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null

  constructor(given: Omit<ApiError, 'name' | 'stack' | 'cause'>) {
    super(given.message)
    this.name = 'ApiError'
    this.httpStatus = given.httpStatus
    this.code = given.code
    this.errors = given.errors
    this.requestId = given.requestId
    this.retryAfterSeconds = given.retryAfterSeconds
  }
}

const remembered = 'storeferry.organization'
const signedOut = new EventTarget()
const proofs = new EventTarget()
const lostAnswers = new EventTarget()

/**
 * The organization for which this tab sends requests. Another tab may have chosen a different one; a new tab, such as
 * that of a link, begins with that of the tab which was used last.
 */
export function chosenOrganization(): string | null {
  return sessionStorage.getItem(remembered) ?? localStorage.getItem(remembered)
}

export function chooseOrganization(id: string): void {
  if (sessionStorage.getItem(remembered) === id) return
  sessionStorage.setItem(remembered, id)
  rememberOrganization()
}

/** Called when a tab is used. */
export function rememberOrganization(): void {
  const id = chosenOrganization()
  if (id !== null) localStorage.setItem(remembered, id)
}

/**
 * Calls back when the server no longer knows the session.
 * @returns a function that stops listening
 */
export function onSignedOut(notify: () => void): () => void {
  signedOut.addEventListener('change', notify)
  return () => signedOut.removeEventListener('change', notify)
}

/**
 * Calls back when it is not known whether something was done, because its answer did not come.
 * @returns a function that stops listening
 */
export function onLostAnswer(notify: () => void): () => void {
  lostAnswers.addEventListener('change', notify)
  return () => lostAnswers.removeEventListener('change', notify)
}

/** Called with whether the person has given the password again. */
export type Proved = (isProved: boolean) => void

/**
 * Calls back when the server requires the password again.
 * @returns a function that stops listening
 */
export function onProofNeeded(ask: (proved: Proved) => void): () => void {
  const listen = (event: Event) => {
    event.preventDefault()
    ask((event as CustomEvent<Proved>).detail)
  }
  proofs.addEventListener('ask', listen)
  return () => proofs.removeEventListener('ask', listen)
}

function isProvedAgain(): Promise<boolean> {
  return new Promise((resolve) => {
    // Without a listener the person cannot be asked.
    if (proofs.dispatchEvent(new CustomEvent<Proved>('ask', { cancelable: true, detail: resolve }))) resolve(false)
  })
}

/**
 * Longer than any response of the API takes. A connection that is lost on the way, as on a phone, would otherwise keep a
 * form waiting for minutes.
 */
const longestAnswerMs = 60_000

/**
 * Sends every request of the portal. A request that requires the password again is repeated once the person has given
 * it.
 *
 * @param patienceMs absent for files and streams, which take as long as they take
 */
export async function send(request: Request, patienceMs?: number): Promise<Response> {
  const again = request.method === 'GET' ? undefined : request.clone()
  const response = await sendOnce(request, patienceMs)
  if (!again || response.status !== 403) return response
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  const isNeeded = isBody(body) && body.error === 'reauthentication_required'
  return isNeeded && (await isProvedAgain()) ? sendOnce(again, patienceMs) : response
}

/** `fetch` with the organization of this tab. */
async function sendOnce(request: Request, patienceMs: number | undefined): Promise<Response> {
  const organization = chosenOrganization()
  if (organization !== null) request.headers.set('storeferry-organization', organization)
  const ending = patienceMs === undefined ? [] : [AbortSignal.timeout(patienceMs)]
  const signal = AbortSignal.any([request.signal, ...ending])
  const response = await fetch(request, { signal }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    if (mayChange(request)) lostAnswers.dispatchEvent(new Event('change'))
    throw unreachable('The service does not answer')
  })
  noteSession(request, response)
  return response
}

/** They only ask, with what is too long for an address. */
const questions: string[] = ['/v2/counts', '/v2/forecast', '/v2/preflight', '/v2/compare'] satisfies (keyof paths)[]

function mayChange({ method, url }: Request): boolean {
  return method !== 'GET' && !questions.includes(new URL(url).pathname)
}

/** Whether the end of the session was reported, and nothing was answered since. */
let isReported = false

/** Lists that load themselves report it once; what a person does reports it each time. */
function noteSession({ method }: Request, { ok, status }: Response): void {
  if (ok) isReported = false
  if (status !== 401 || (isReported && method === 'GET')) return
  isReported = true
  signedOut.dispatchEvent(new Event('change'))
}

export const client = createClient<paths>({
  baseUrl: location.origin,
  fetch: (request) => send(request, longestAnswerMs),
  querySerializer: { array: { style: 'form', explode: false } },
})

interface Result<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/**
 * @returns the body of a successful response
 * @throws ApiError
 */
export async function orThrow<Data>(pending: Promise<Result<Data>>): Promise<Data> {
  const { data, error, response } = await received(pending)
  // A response without a body has no data either, as its type says.
  if (response.ok) return data as Data
  throw apiError(response, error)
}

export function apiError(response: Response, body: unknown): ApiError {
  const { error, message, errors } = isBody(body) ? body : ofProxy(response)
  const retryAfter = Number(response.headers.get('retry-after'))
  return new ApiError({
    httpStatus: response.status,
    code: error,
    message,
    errors: errors ?? {},
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
  })
}

/** A response that is not the service's own, such as the page of a proxy while the service starts again. */
function ofProxy({ status }: Response): components['schemas']['Error'] {
  if ([502, 503, 504].includes(status))
    return { error: 'unavailable', message: 'The service does not answer at the moment. Try again in a minute.' }
  if (status >= 500) return { error: 'internal_error', message: '' }
  return {
    error: 'malformed_request',
    message: 'Something between your browser and the service refused this. Try again, or ask who runs your network.',
  }
}

/**
 * The body of a response, during which the connection may be cut.
 * @throws ApiError
 */
export function received<Body>(body: Promise<Body>): Promise<Body> {
  return body.catch((error: unknown) => {
    throw error instanceof ApiError ? error : unreachable('The answer of the service did not arrive in full')
  })
}

function unreachable(what: string): ApiError {
  const message = `${what}. Check your connection, then try again.`
  const none = { errors: {}, requestId: null, retryAfterSeconds: null }
  return new ApiError({ httpStatus: 0, code: 'offline', message, ...none })
}

function isBody(body: unknown): body is components['schemas']['Error'] {
  return typeof body === 'object' && body !== null && 'error' in body && 'message' in body
}
