import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Listens on this machine only.
 *
 * @returns the port, which is another than the wished one when that is 0.
 * @throws what to do when the port is taken. `option` is what the caller calls the port.
 */
export function listen(server: Server, wishedPort: number, option: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(wordsFor(error, wishedPort, option)))
    server.listen(wishedPort, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

function wordsFor(error: NodeJS.ErrnoException, port: number, option: string): Error {
  if (error.code !== 'EADDRINUSE') return error
  const remedy = `end what uses it, or give another ${option} (0 takes a free one)`
  return new Error(`Port ${port} on 127.0.0.1 is taken; ${remedy}.`, { cause: error })
}

/** Ends the connections too: nobody waits for a sandbox that goes. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
