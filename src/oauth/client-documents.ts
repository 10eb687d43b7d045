import { limits } from '../contract/primitives/limits.ts'
import type { Outbound } from '../outbound.ts'
import { readRegistration, redirectFault } from './request-checks.ts'

const timeoutMs = 2_500

/**
 * How the library asks for what a client says of itself at its own address (CIMD): through the one way out (S3), and read as if the
 * client had registered with it (S16). Without `outbound` nothing is asked.
 *
 * @returns a `fetch` whose answers hold only what is kept of a registration. It throws where the document will not do.
 */
export function readClientDocument(
  outbound: Outbound | undefined,
): (input: string | URL | Request) => Promise<Response> {
  return async (input) => {
    const url = input instanceof Request ? input.url : String(input)
    if (!outbound) throw new Error('Documents of clients are not read here.')
    const answer = await outbound({ url, maxBytes: limits.clientDocumentBytes, timeoutMs })
    if (answer.httpStatus !== 200) throw new Error(`The document of the client was answered with ${answer.httpStatus}.`)
    const document: unknown = JSON.parse(answer.body.toString('utf8'))
    if (typeof document !== 'object' || document === null || !('client_id' in document))
      throw new Error('The document of the client does not name it.')
    if ('client_secret' in document) throw new Error('A client with a secret is none of ours.')
    const read = readRegistration(document)
    if ('error' in read) throw new Error(read.error_description)
    const { 'cache-control': cacheControl } = answer.headers
    return Response.json(
      { client_id: document.client_id, ...read.metadata },
      { headers: cacheControl === undefined ? {} : { 'cache-control': cacheControl } },
    )
  }
}

/** Whether an address may be that of a client: https with a path, and as short as a redirect. */
export function isDocumentAddress(clientId: string): boolean {
  const url = URL.parse(clientId)
  return url?.protocol === 'https:' && url.pathname !== '/' && redirectFault(clientId) === undefined
}
