import { limits } from '../contract/primitives/limits.ts'
import type { Outbound } from '../outbound.ts'
import { readRegistration, redirectFault } from './request-checks.ts'

const timeoutMs = 2_500

/**
 * Fetches client ID metadata documents for the library, through the guarded outbound client (S3), and treats them like a
 * registration (S16). Without `outbound`, nothing is fetched.
 *
 * @returns a `fetch` whose answers hold only the fields kept of a registration. It throws when the document is not usable.
 */
export function readClientDocument(
  outbound: Outbound | undefined,
): (input: string | URL | Request) => Promise<Response> {
  return async (input) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!outbound) throw new Error('Client documents are switched off.')
    const answer = await outbound({ url, maxBytes: limits.clientDocumentBytes, timeoutMs })
    if (answer.httpStatus !== 200) throw new Error(`The client document was answered with HTTP ${answer.httpStatus}.`)
    const document: unknown = JSON.parse(answer.body.toString('utf8'))
    if (typeof document !== 'object' || document === null || !('client_id' in document))
      throw new Error('The client document has no client_id.')
    if ('client_secret' in document) throw new Error('Confidential clients are not supported.')
    const read = readRegistration(document)
    if ('error' in read) throw new Error(read.error_description)
    const { 'cache-control': cacheControl } = answer.headers
    return Response.json(
      { client_id: document.client_id, ...read.metadata },
      { headers: cacheControl === undefined ? {} : { 'cache-control': cacheControl } },
    )
  }
}

/** Whether a client id may be the URL of a document: https with a path, and otherwise valid as a redirect. */
export function isDocumentAddress(clientId: string): boolean {
  const url = URL.parse(clientId)
  return url?.protocol === 'https:' && url.pathname !== '/' && redirectFault(clientId) === undefined
}
