import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A way to PostgreSQL that a test can shut, as if the server were away. */
export interface Gate {
  url: string
  /** Ends all connections and refuses new ones. */
  shut(): Promise<void>
  open(): Promise<void>
  stop(): Promise<void>
}

export async function startGate(databaseUrl: string): Promise<Gate> {
  const { hostname, port: targetPort } = new URL(databaseUrl)
  const host = decodeURIComponent(hostname)
  // libpq's name of a socket in a directory.
  const target = host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${targetPort || 5432}` }
    : { host, port: Number(targetPort || 5432) }
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.once('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as { port: number }
  const shut = async () => {
    const closed = server.listening ? new Promise((resolve) => server.close(resolve)) : undefined
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return { url: url.href, shut, open: () => listen(port), stop: shut }
}
