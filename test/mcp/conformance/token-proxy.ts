import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'

export interface TokenProxy {
  url: string
  stop(): Promise<void>
}

/**
 * The suite has no token and knows no other address than that of this proxy. It adds the token and puts the site's name where its own
 * stood; a foreign `Host` or `Origin` goes through as it is, for that is what some scenarios are about.
 */
export async function startTokenProxy(target: string, siteUrl: string, token: string): Promise<TokenProxy> {
  const server = createServer(async (asked, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of asked) chunks.push(chunk as Buffer)
    const own = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const { host, origin, connection: _, 'transfer-encoding': _t, 'content-length': _l, ...kept } = asked.headers
    const headers: IncomingHttpHeaders = {
      ...kept,
      host: host === own ? new URL(siteUrl).host : host,
      ...(origin !== undefined && { origin: origin === `http://${own}` ? siteUrl : origin }),
      authorization: `Bearer ${token}`,
    }
    const body = Buffer.concat(chunks)
    const method = (asked.method ?? 'GET') as 'GET'
    let said = await request(target + asked.url, { method, headers, body: body.length > 0 ? body : null })
    // A busy machine, not an answer to what was asked: as clients do, ask again.
    for (let tries = 0; said.statusCode === 503 && tries < 5; tries++) {
      await said.body.dump()
      await sleep(1_000)
      said = await request(target + asked.url, { method, headers, body: body.length > 0 ? body : null })
    }
    const { connection: _c, 'transfer-encoding': _e, ...answered } = said.headers
    answer.writeHead(said.statusCode, answered)
    answer.end(Buffer.from(await said.body.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
