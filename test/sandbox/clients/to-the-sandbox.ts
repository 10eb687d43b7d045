/**
 * Loaded before a client that only knows the platform's own host. Its connections go to the sandbox's TLS port on this
 * machine, and all others are refused. Names are never looked up.
 */
import { Socket, type TcpSocketConnectOpts } from 'node:net'

const HOST = 'api.bigcommerce.com'
const sandboxPort = Number(process.env.SANDBOX_TLS_PORT)

/** All connections of Node, with or without TLS, go through this. The host name for the certificate stays HOST. */
const connect = Socket.prototype.connect as (this: Socket, ...given: unknown[]) => Socket

Socket.prototype.connect = function connectToSandbox(this: Socket, ...given: unknown[]): Socket {
  // Node's own callers pass [options, callback] as one list.
  const [options, callback] = Array.isArray(given[0]) ? given[0] : given
  const { host, port } = (typeof options === 'object' && options !== null ? options : {}) as TcpSocketConnectOpts
  if (host !== HOST || Number(port) !== 443) {
    // Emitted later, as a failed connection would, because the caller has not added its listener yet.
    const refused = new Error(`A connection to ${host ?? 'an unnamed host'} is refused: it is not the sandbox`)
    setImmediate(() => this.destroy(refused))
    return this
  }
  return connect.call(this, { ...options, host: '127.0.0.1', port: sandboxPort }, callback)
}
