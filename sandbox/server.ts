import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { handleAdmin } from './admin/admin.ts'
import { serveStoreFile } from './admin/admin-store-file.ts'
import { changeStores } from './admin/admin-stores.ts'
import type { StoreList } from './admin/store-list.ts'
import { handleApps } from './apps/admin-apps.ts'
import type { Apps } from './apps/apps.ts'
import { exchangeCode, TOKEN_PATH } from './apps/token-endpoint.ts'
import { v3Error } from './http/answers.ts'
import { readBytes, TOO_LARGE, unpack } from './http/request-body.ts'
import type { Certificate } from './server/certificate.ts'
import { errorOf, errorOfBody, send, sendBare, sendJson } from './server/send-answer.ts'
import { type CallParts, serveCall } from './server/serve-call.ts'
import { serveImage } from './server/serve-image.ts'
import { serveShop } from './server/serve-shop.ts'
import { serveThemeArchive } from './server/serve-theme-archive.ts'
import type { StoreHost } from './server/store-host.ts'

export interface ServerParts extends CallParts {
  hosts: Map<string, StoreHost>
  apps: Apps
  /** For the admin API only. */
  stores?: StoreList
  adminToken: string | undefined
}

const LIFE = { keepAliveTimeout: 60_000, requestTimeout: 0 }

export function createSandboxServer(parts: ServerParts): Server {
  return createServer(LIFE, listenerOf(parts))
}

/** The same stores over TLS. */
export function createSandboxTlsServer(parts: ServerParts, { certificate, privateKey }: Certificate): Server {
  return createTlsServer({ ...LIFE, cert: certificate, key: privateKey }, listenerOf(parts))
}

function listenerOf(parts: ServerParts): RequestListener {
  return (request, response) => {
    respond(parts, request, response).catch((error: unknown) => {
      process.stderr.write(`sandbox: ${error instanceof Error ? error.stack : String(error)}\n`)
      if (!response.headersSent) sendJson(request, response, v3Error(500, 'Internal error of the sandbox'), {})
      else response.destroy()
    })
  }
}

async function respond(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '/'
  const questionAt = url.indexOf('?')
  const path = questionAt === -1 ? url : url.slice(0, questionAt)
  const query = questionAt === -1 ? '' : url.slice(questionAt + 1)
  if (path.startsWith('/__sandbox/') && parts.adminToken !== undefined) {
    return serveAdmin(parts, parts.adminToken, request, response, path, query)
  }
  if (path === TOKEN_PATH) return serveToken(parts, request, response)
  const [, stores, hash, ...rest] = path.split('/')
  const host = stores === 'stores' && hash !== undefined ? parts.hosts.get(hash) : undefined
  if (!host) {
    return void sendJson(request, response, v3Error(404, 'The route is not found, check the URL'), {})
  }
  if (rest[0] === 'images' || rest[0] === 'product_images') {
    return serveImage(host, request, response, { folder: rest[0], path: rest.slice(1).join('/') })
  }
  if (rest[0] === 'theme_downloads') return serveThemeArchive(host, request, response, rest.slice(1).join('/'))
  const below = `/${rest.join('/')}`
  // Any address below the store that is not part of the API belongs to the storefront.
  if (!/^\/v[23](\/|$)/.test(below)) return serveShop(host, request, response, { path: below, query })
  await respondFor(parts, host, request, response, below, query)
}

/** Handles an API call to one store. Calls are logged as they arrive. */
async function respondFor(
  parts: ServerParts,
  host: StoreHost,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
): Promise<void> {
  const entry = host.log.arrived(request.method ?? 'GET', path, query)
  // HEAD is handled like GET; Node leaves out the body.
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET')
  const startedMs = performance.now()
  const packed = await readBytes(request)
  if (packed === undefined) return
  const call = { host, request, response, entry, startedMs, method, path, query: new URLSearchParams(query) }
  if (packed === TOO_LARGE) return send(call, tooLarge())
  const bytes = unpack(request, packed)
  if ('problem' in bytes) return send(call, errorOfBody(call, bytes))
  if (host.store.switches.maintenance === true || host.faults.closes({ ...call, bytes })) {
    return sendBare(call, errorOf(call, 503, 'The store is down for maintenance. Please retry later.'))
  }
  await serveCall(parts, { ...call, bytes })
}

async function serveAdmin(
  { hosts, apps, stores }: ServerParts,
  adminToken: string,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
): Promise<void> {
  if (await serveStoreFile({ hosts, adminToken }, request, response, path)) return
  const bytes = await readBytes(request)
  if (bytes === undefined) return
  if (bytes === TOO_LARGE) return void sendJson(request, response, tooLarge(), {})
  const text = bytes.toString('utf8')
  const answer =
    (stores && (await changeStores({ hosts, stores, adminToken }, request, path, text))) ??
    (await handleApps({ hosts, apps, adminToken }, request, path, text)) ??
    handleAdmin({ hosts, adminToken }, request, path, new URLSearchParams(query), text)
  sendJson(request, response, answer, {})
}

/** The platform's token endpoint for apps, which is not an address of a store. */
async function serveToken(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const bytes = await readBytes(request)
  if (bytes === undefined) return
  const answer = bytes === TOO_LARGE ? tooLarge() : exchangeCode(parts, request, bytes.toString('utf8'))
  sendJson(request, response, answer, {})
}

const tooLarge = () => v3Error(413, 'The request payload is too large.')
