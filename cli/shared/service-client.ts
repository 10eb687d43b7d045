/** A refusal with the service's message. `code` is one of `contract/service-error.ts`, or a newer one. */
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

export interface ServiceClient {
  /** `path` is below the site URL, e.g. `/v2/stores`. The answer is the API's documented JSON. */
  get<Answer>(path: string): Promise<Answer>
  post<Answer>(path: string, body?: unknown): Promise<Answer>
}

export interface Connection {
  siteUrl: string
  /** Omitted for a login. */
  bearerToken?: string
  signal: AbortSignal
}

/** Longer than any answer of the API takes. */
const patienceMs = 60_000

/** The API over HTTP, as for any other caller. Every error names the thing and the remedy. */
export function connect(connection: Connection): ServiceClient {
  return {
    get: (path) => call(connection, 'GET', path),
    post: (path, body) => call(connection, 'POST', path, body),
  }
}

async function call<Answer>(connection: Connection, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await send(connection, method, path, body)
  const text = await response.text()
  if (!response.ok) throw refusalOf(connection, response.status, text)
  // The answer's type is documented; a command reads the fields it needs.
  return (text ? JSON.parse(text) : undefined) as Answer
}

async function send(connection: Connection, method: string, path: string, body: unknown): Promise<Response> {
  const { siteUrl, bearerToken, signal } = connection
  const headers = new Headers({ accept: 'application/json' })
  if (bearerToken) headers.set('authorization', `Bearer ${bearerToken}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  const payload = body === undefined ? undefined : JSON.stringify(body)
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    return await fetch(siteUrl + path, { method, headers, body: payload, signal: patience, redirect: 'error' })
  } catch (error) {
    signal.throwIfAborted()
    const reason = (error as { cause?: Error }).cause?.message || (error as Error).message
    const remedy = 'start it with "storeferry start", or set STOREFERRY_URL to where it runs.'
    throw new Error(`No answer from ${siteUrl} (${reason}); ${remedy}`, { cause: error })
  }
}

function refusalOf(connection: Connection, httpStatus: number, text: string): Refusal {
  const { error, message, errors } = parseRefusal(text)
  if (httpStatus === 401 && connection.bearerToken) {
    return new Refusal(401, error, `${message} Sign in again with "storeferry login" (${connection.siteUrl}).`)
  }
  const fields = Object.entries(errors).map(([path, messages]) => `${path}: ${messages.join(' ')}`)
  return new Refusal(httpStatus, error, `${fields.join('; ') || message} (${error})`)
}

function parseRefusal(text: string): { error: string; message: string; errors: Record<string, string[]> } {
  try {
    const { error, message, errors } = JSON.parse(text)
    return { error: String(error), message: String(message), errors: errors ?? {} }
  } catch {
    return { error: 'unreadable', message: 'The answer is not from Storeferry; check STOREFERRY_URL.', errors: {} }
  }
}
