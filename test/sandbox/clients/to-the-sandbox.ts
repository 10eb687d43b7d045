/**
 * Loaded before a client that knows only the platform's own host: its connections end at the sandbox's TLS port on this
 * machine, and no connection to any other place is made. Names are never looked up.
 */
import { Socket, type TcpSocketConnectOpts } from 'node:net'

const HOST = 'api.bigcommerce.com'
const sandboxPort = Number(process.env.SANDBOX_TLS_PORT)

/** What every connection of Node, over TLS or not, goes through; the name that the certificate must have stays HOST. */
const connect = Socket.prototype.connect as (this: Socket, ...given: unknown[]) => Socket

Socket.prototype.connect = function connectToSandbox(this: Socket, ...given: unknown[]): Socket {
  // Node's own callers bring [options, callback] in one list.
  const [options, callback] = Array.isArray(given[0]) ? given[0] : given
  const { host, port } = (typeof options === 'object' && options !== null ? options : {}) as TcpSocketConnectOpts
  if (host !== HOST || Number(port) !== 443) {
    // Told after the caller has begun to listen, as a connection that fails is.
    const refused = new Error(`A connection to ${host ?? 'an unnamed place'} is refused: it is not the sandbox`)
    setImmediate(() => this.destroy(refused))
    return this
  }
  return connect.call(this, { ...options, host: '127.0.0.1', port: sandboxPort }, callback)
}
