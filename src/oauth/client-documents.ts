import type { Clock } from '../clock.ts'
import { limits } from '../contract/primitives/limits.ts'
import type { Outbound } from '../outbound.ts'
import { readRegistration, redirectFault } from './request-checks.ts'

const timeoutMs = 2_500

/** The library requests a client again after refusing it, in order to describe the refusal. */
const failureKeptMs = 10_000

export interface ClientDocuments {
  /**
   * The library's `fetch`. Its responses contain only the fields kept of a registration. It throws if the document is
   * not usable.
   */
  fetch(input: string | URL | Request): Promise<Response>
  /** Whether the document was recently found unusable; then it is neither fetched nor counted again. */
  hasFailed(clientId: string): boolean
}

/**
 * Fetches client ID metadata documents for the library, through the guarded outbound client (S3), and treats them like
 * a registration (S16). Without `outbound`, nothing is fetched.
 */
export function createClientDocuments(outbound: Outbound | undefined, clock: Clock): ClientDocuments {
  const failures = new Map<string, { error: unknown; untilMs: number }>()

  function failureOf(url: string) {
    for (const [one, { untilMs }] of failures) if (untilMs <= clock.monotonicMs()) failures.delete(one)
    return failures.get(addressOf(url))
  }

  async function fetch(input: string | URL | Request): Promise<Response> {
    const url = input instanceof Request ? input.url : String(input)
    const known = failureOf(url)
    if (known) throw known.error
    try {
      return await readClientDocument(outbound, url)
    } catch (error) {
      failures.set(addressOf(url), { error, untilMs: clock.monotonicMs() + failureKeptMs })
      throw error
    }
  }

  return { fetch, hasFailed: (clientId) => failureOf(clientId) !== undefined }
}

async function readClientDocument(outbound: Outbound | undefined, url: string): Promise<Response> {
  if (!outbound) throw new Error('Client documents are switched off.')
  const answer = await outbound({ url, maxBytes: limits.clientDocumentBytes, timeoutMs })
  if (answer.httpStatus !== 200) throw new Error(`The client document was answered with HTTP ${answer.httpStatus}.`)
  const document: unknown = JSON.parse(answer.body.toString('utf8'))
  if (typeof document !== 'object' || document === null || !('client_id' in document))
    throw new Error('The client document has no client_id.')
  if (addressOf(String(document.client_id)) !== addressOf(url))
    throw new Error('The client document belongs to another address.')
  if ('client_secret' in document) throw new Error('Confidential clients are not supported.')
  const read = readRegistration(document)
  if ('error' in read) throw new Error(read.error_description)
  const { 'cache-control': cacheControl } = answer.headers
  return Response.json(
    { client_id: document.client_id, ...read.metadata },
    { headers: cacheControl === undefined ? {} : { 'cache-control': cacheControl } },
  )
}

function addressOf(url: string): string {
  return URL.parse(url)?.href ?? url
}

/** Whether a client id may be the URL of a document: https with a path, and otherwise valid as a redirect URI. */
export function isDocumentAddress(clientId: string): boolean {
  const url = URL.parse(clientId)
  return url?.protocol === 'https:' && url.pathname !== '/' && redirectFault(clientId) === undefined
}
