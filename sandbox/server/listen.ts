import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Listens on the loopback interface.
 *
 * @param option the name of the port's option, for the error message
 * @returns the port, chosen by the system if `port` is 0
 * @throws an error that says what to do if the port is in use
 */
export function listen(server: Server, port: number, option: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(describe(error, port, option)))
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

function describe(error: NodeJS.ErrnoException, port: number, option: string): Error {
  if (error.code !== 'EADDRINUSE') return error
  const remedy = `stop the program that uses it, or choose another ${option} (0 for any free port)`
  return new Error(`Port ${port} on 127.0.0.1 is taken; ${remedy}.`, { cause: error })
}

/** Also closes open connections, because the sandbox is stopping. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
