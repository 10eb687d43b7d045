import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { StoreClient, type StoreClientOptions, type StoreConnection } from '../../src/bigcommerce/client.ts'
import { Governor } from '../../src/bigcommerce/governor.ts'
import { FakeClock } from './fake-clock.ts'

/** What a test's store answers; a bare value is sent as JSON with 200. */
export type Script = (request: http.IncomingMessage, response: http.ServerResponse, body: string) => void

export interface StoreServer {
  url: string
  requests: { method: string; url: string; headers: http.IncomingHttpHeaders; body: string }[]
  client: StoreClient
  governor: Governor
  clock: FakeClock
  /** Further clients of the same store, closed with it. */
  connect(connection?: Partial<StoreConnection>, options?: Partial<StoreClientOptions>): StoreClient
  stop(): Promise<void>
}

/** For tests: a real server on a free loopback port, and a client whose waits up to 60 s pass at once. */
export async function startStore(script: Script): Promise<StoreServer> {
  const requests: StoreServer['requests'] = []
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
    script(request, response, body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server listening on a host and port has an AddressInfo.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const clock = new FakeClock({ skipUpToMs: 60_000 })
  const governor = new Governor({ clock })
  const clients: StoreClient[] = []
  const connect: StoreServer['connect'] = (connection = {}, options = {}) => {
    const client = new StoreClient(
      { apiUrl: url, hash: 'abc123', token: 'planted-token', readOnly: false, requestTimeoutMs: 90_000, ...connection },
      governor,
      { clock, ...options },
    )
    clients.push(client)
    return client
  }
  const stop = async () => {
    await Promise.all(clients.map((client) => client.close()))
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, requests, client: connect(), governor, clock, connect, stop }
}

export function answer(response: http.ServerResponse, httpStatus: number, body?: unknown, headers = {}): void {
  response.writeHead(httpStatus, { 'content-type': 'application/json', ...headers })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}
