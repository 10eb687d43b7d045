import type { IncomingMessage, ServerResponse } from 'node:http'
import { downloadBehind } from '../resources/themes/theme-jobs.ts'
import type { StoreHost } from './store-host.ts'

/** Serves the result of a download job to anyone who has the link, until it expires. */
export function serveThemeArchive(
  { faults, store }: StoreHost,
  request: IncomingMessage,
  response: ServerResponse,
  file: string,
): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const bytes = isRead && !faults.expires(file) ? downloadBehind(store, file.replace(/\.zip$/, '')) : undefined
  if (!bytes) return void response.writeHead(403, { 'Content-Type': 'text/plain' }).end('Request has expired')
  response.writeHead(200, { 'Content-Type': 'application/zip', 'Content-Length': bytes.length }).end(bytes)
}
