import { remediesAsCommands } from './remedies-as-commands.ts'

/**
 * A refusal with the service's message, its remedies given as commands. `code` is one of `contract/service-error.ts`,
 * or a newer one.
 */
export class Refusal extends Error {
  readonly httpStatus: number
  readonly code: string

  constructor(httpStatus: number, code: string, message: string) {
    super(message)
    this.name = 'Refusal'
    this.httpStatus = httpStatus
    this.code = code
  }
}

/** The service is not reachable, or closed the connection in the middle of a response. */
export class NoAnswer extends Error {
  constructor(siteUrl: string, cause: unknown) {
    const remedy = 'start it with "storeferry start", or set STOREFERRY_URL to where it runs.'
    super(`No answer from ${siteUrl} (${reasonOf(cause)}); ${remedy}`, { cause })
    this.name = 'NoAnswer'
  }
}

/** `fetch` puts what happened into the cause of its error. */
function reasonOf(error: unknown): string {
  return (error as { cause?: Error }).cause?.message || (error as Error).message
}

/** Whether the same call may succeed a little later, for example after a restart of the service. */
export function mayPass(error: unknown): boolean {
  if (error instanceof NoAnswer) return true
  return error instanceof Refusal && (error.httpStatus === 429 || error.httpStatus >= 500)
}

export interface ServiceClient {
  /** `path` is below the site URL, e.g. `/v2/stores`. The response is the API's documented JSON. */
  get<Answer>(path: string, query?: Query): Promise<Answer>
  post<Answer>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch<Answer>(path: string, body: unknown): Promise<Answer>
  /** A list as a file, in chunks as they arrive. */
  file(path: string, query?: Query): AsyncGenerator<Uint8Array>
}

/** Undefined values are left out. */
export type Query = Record<string, string | number | undefined>

export interface Connection {
  siteUrl: string
  /** Omitted for a login. */
  bearerToken?: string
  /** How to sign in again. */
  again?: string
  signal: AbortSignal
}

export interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

/** Longer than any response of the API takes. */
const patienceMs = 60_000

/** The longest page that the API returns. */
const longestPage = 200

export function migrationPath(id: string): string {
  return `/v2/migrations/${encodeURIComponent(id)}`
}

/** The API over HTTP, as for any other caller. Every error contains the object and the remedy. */
export function connect(connection: Connection): ServiceClient {
  return {
    get: (path, query) => call(connection, 'GET', path + queryText(query), {}),
    post: (path, body, headers) => call(connection, 'POST', path, { body, headers }),
    patch: (path, body) => call(connection, 'PATCH', path, { body }),
    file: (path, query) => download(connection, path + queryText(query)),
  }
}

/** The items of all pages of a list, read as they are needed. */
export async function* everyItem<Item>(client: ServiceClient, path: string, query: Query): AsyncGenerator<Item> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page<Item> = await client.get(path, { ...query, limit: longestPage, cursor })
    yield* page.items
    cursor = page.nextCursor
  }
}

function queryText(query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  return parameters.size === 0 ? '' : `?${parameters}`
}

async function call<Answer>(connection: Connection, method: string, path: string, sent: Sent): Promise<Answer> {
  return answering(connection, async () => {
    const response = await send(connection, method, path, { ...sent, patience: AbortSignal.timeout(patienceMs) })
    const text = await response.text()
    if (!response.ok) throw refusalOf(connection, response.status, text)
    // The type of the response is documented; a command reads the fields it needs.
    return (text ? parseAnswer(connection, response.status, text) : undefined) as Answer
  })
}

/** Without a time limit, because a long list may take a while. */
async function* download(connection: Connection, path: string): AsyncGenerator<Uint8Array> {
  const response = await answering(connection, () => send(connection, 'GET', path, {}))
  if (!response.ok) throw refusalOf(connection, response.status, await response.text())
  const reader = response.body?.getReader()
  for (;;) {
    const chunk = await reader?.read().catch((cause) => {
      connection.signal.throwIfAborted()
      const remedy = 'so the list is not complete; run the command again.'
      throw new Error(`The answer of ${connection.siteUrl} broke off (${reasonOf(cause)}), ${remedy}`, { cause })
    })
    if (!chunk?.value) return
    yield chunk.value
  }
}

interface Sent {
  body?: unknown
  headers?: Record<string, string> | undefined
  patience?: AbortSignal
}

function send(connection: Connection, method: string, path: string, sent: Sent): Promise<Response> {
  const { siteUrl, bearerToken, signal } = connection
  const { body, patience } = sent
  const headers = new Headers({ accept: '*/*', ...sent.headers })
  if (bearerToken) headers.set('authorization', `Bearer ${bearerToken}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  // A stream, because fetch sends a text again after a 421 and fails at it; the service's message would be lost.
  const payload = body === undefined ? null : new Blob([JSON.stringify(body)]).stream()
  const either = patience ? AbortSignal.any([signal, patience]) : signal
  return fetch(siteUrl + path, { method, headers, body: payload, duplex: 'half', signal: either, redirect: 'error' })
}

/** Puts the service's address into the error if it does not respond, or stops in the middle of a response. */
async function answering<Answer>({ siteUrl, signal }: Connection, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Refusal) throw error
    signal.throwIfAborted()
    throw new NoAnswer(siteUrl, error)
  }
}

function refusalOf(connection: Connection, httpStatus: number, text: string): Refusal {
  const { error, message, errors } = parseRefusal(text)
  if (httpStatus === 401 && connection.bearerToken) {
    const { again = 'storeferry login', siteUrl } = connection
    const reason = error === 'unauthorized' ? 'The sign-in has expired or is no longer valid.' : message
    return new Refusal(401, error, `${reason} Sign in again with "${again}" (${siteUrl}).`)
  }
  const fields = Object.entries(errors).map(([path, messages]) => `${path}: ${messages.join(' ')}`)
  return new Refusal(httpStatus, error, `${remediesAsCommands(fields.join('; ') || message)} (${error})`)
}

const notOurs = 'The answer is not from Storeferry; check STOREFERRY_URL.'

function parseAnswer({ siteUrl }: Connection, httpStatus: number, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(httpStatus, 'unreadable', `${notOurs} (${siteUrl})`)
  }
}

function parseRefusal(text: string): { error: string; message: string; errors: Record<string, string[]> } {
  try {
    const { error, message, errors } = JSON.parse(text)
    if (typeof error === 'string' && typeof message === 'string') return { error, message, errors: errors ?? {} }
  } catch {
    // Not even JSON.
  }
  return { error: 'unreadable', message: notOurs, errors: {} }
}
