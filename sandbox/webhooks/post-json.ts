import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'

export interface Post {
  destination: string
  headers: Record<string, string>
  body: string
  timeoutMs: number
  /** Ends the attempt when the sandbox closes. */
  signal: AbortSignal
}

/** Resolves `localhost` to this machine, whatever the hosts file says. */
const thisMachine: LookupFunction = (_name, _options, found) => {
  found(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ])
}

/**
 * Sends one delivery to this machine. Redirects are not followed: like any answer other than 2xx, they count as a
 * failure.
 *
 * @returns undefined if the delivery was acknowledged, otherwise what went wrong. Never throws.
 */
export function postJson({ destination, headers, body, timeoutMs, signal }: Post): Promise<string | undefined> {
  const url = new URL(destination)
  const secure = url.protocol === 'https:'
  const send = secure ? httpsRequest : httpRequest
  const timeout = AbortSignal.timeout(timeoutMs)
  return new Promise((resolve) => {
    const options = {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
      agent: false as const,
      lookup: thisMachine,
      signal: AbortSignal.any([timeout, signal]),
      // Accepts the self-signed certificate of a local receiver, because the delivery does not leave the machine.
      ...(secure ? { rejectUnauthorized: false } : {}),
    }
    const request = send(url, options, (response) => {
      const status = response.statusCode ?? 0
      response.on('error', () => undefined).resume()
      resolve(status >= 200 && status < 300 ? undefined : `answered with ${status}`)
    })
    request.on('error', (error) => resolve(timeout.aborted ? `no answer within ${timeoutMs} ms` : error.message))
    request.end(body)
  })
}
