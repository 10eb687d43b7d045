import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { siteUrl } from './a-service.ts'

/** A GET over a real connection to a service that listens; `fetch` would send the address it connects to as Host. */
export async function askSocket(
  address: string,
  path: string,
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  const asked = request(`${address}${path}`, { headers: { host: new URL(siteUrl).host, ...headers } })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return response.setEncoding('utf8')
}
