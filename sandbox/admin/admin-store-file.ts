import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readBytes } from '../http/request-body.ts'
import type { SandboxAnswer } from '../http/resource.ts'
import { sendJson } from '../server/send-answer.ts'
import type { SqliteStore } from '../store/sqlite-store.ts'
import { type AdminParts, adminRefusal } from './admin.ts'
import { done, refused } from './admin-answers.ts'
import { cloneStore, exportedStore, importStore } from './store-file.ts'
import { StoreFileError } from './store-file-error.ts'

const NDJSON = 'application/x-ndjson'

interface FileCall {
  parts: AdminParts
  store: SqliteStore
  request: IncomingMessage
  response: ServerResponse
}

/** These calls stream whole stores, so they bypass the JSON body reader. */
const CALLS: Record<string, (call: FileCall) => Promise<void>> = {
  'GET export': sendStore,
  'POST import': (call) => answer(call, () => takeStore(call)),
  'POST clone': (call) => answer(call, () => clone(call)),
}

/** @returns false, having done nothing, if the call is not an export, import or clone */
export async function serveStoreFile(
  parts: AdminParts,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<boolean> {
  const [, , stores, hash, subject, ...more] = path.split('/')
  const call = CALLS[`${request.method} ${subject}`]
  const store = stores === 'stores' && more.length === 0 ? parts.hosts.get(hash ?? '')?.store : undefined
  if (!call || !store || adminRefusal(parts, request)) return false
  await call({ parts, store, request, response })
  return true
}

async function sendStore({ store, response }: FileCall): Promise<void> {
  response.writeHead(200, { 'Content-Type': NDJSON })
  try {
    await pipeline(Readable.from(exportedStore(store)), response)
  } catch (error) {
    // The client has disconnected, so there is no one to answer.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}

async function takeStore({ store, request }: FileCall): Promise<SandboxAnswer> {
  if (!request.headers['content-type']?.startsWith(NDJSON)) return refused(415, `A store is imported as ${NDJSON}`)
  // Keeps the request open after an error, so that the client gets the answer.
  await importStore(store, request.iterator({ destroyOnReturn: false }))
  return done({})
}

async function clone({ parts, store, request }: FileCall): Promise<SandboxAnswer> {
  const bytes = await readBytes(request)
  const to = Buffer.isBuffer(bytes) ? wishedStore(bytes) : undefined
  const target = [...parts.hosts.values()].find(({ store: { name, hash } }) => to === name || to === hash)
  if (!target) return refused(404, 'Give {"to":"..."} with the name or the hash of a store of this sandbox')
  await cloneStore(store, target.store)
  return done({})
}

function wishedStore(bytes: Buffer): unknown {
  try {
    return (JSON.parse(bytes.toString('utf8')) as { to?: unknown } | null)?.to
  } catch {
    return undefined
  }
}

async function answer({ request, response }: FileCall, act: () => Promise<SandboxAnswer>): Promise<void> {
  const given = await act().catch((error: unknown) => {
    if (error instanceof StoreFileError) return refused(error.httpStatus, error.message)
    throw error
  })
  request.resume()
  sendJson(request, response, given, {})
}
