import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { signInPath } from '../accounts/return-to.ts'
import { html } from '../contract/primitives/html.ts'
import { ServiceError } from '../contract/service-error.ts'
import type { Deps } from '../operations/shared/operation.ts'
import { evenIfBusy } from './health.ts'
import { sendPage } from './pages/page-answers.ts'
import { type PortalBuild, portalDist } from './portal-build.ts'

/** Addresses of the application that accept one method; their other methods return a 405. */
export const portalPaths = ['/', '/app', '/admin', '/app/tokens.css', '/favicon.svg', '/favicon.ico'] as const

const hidden = { schema: { hide: true } }
const year = 'public, max-age=31536000, immutable'
const day = 'public, max-age=86400'
/** File names that the build creates; nothing with a slash or a leading dot. */
const fileName = /^[\w-][\w.-]*$/
const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

interface PortalDeps extends Deps {
  portal?: PortalBuild
}

/** Serves the application: one page for every screen, and its files. */
export async function addPortal(app: FastifyInstance, deps: PortalDeps): Promise<void> {
  app.get('/', hidden, async (request, reply) => {
    if (!acceptsPage(request)) throw notFound()
    return reply.redirect('/app', 303)
  })
  for (const path of ['/app', '/app/*', '/admin', '/admin/*'])
    app.get(path, hidden, (request, reply) => answerScreen(request, reply, deps))
  // A browser that was refused a part of the application does not ask for it again before the page is loaded anew.
  app.get('/app/assets/:file', evenIfBusy, (request, reply) => answerFile(request, reply, 'assets', year))
  app.get('/app/fonts/:file', evenIfBusy, (request, reply) => answerFile(request, reply, 'fonts', day))
  await addSource(app, ['/app/tokens.css'], 'tokens.css')
  await addSource(app, ['/favicon.svg', '/favicon.ico'], 'mark.svg')
}

/** A person who follows a wrong link gets a page; a program gets JSON. */
export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!acceptsPage(request)) throw notFound()
  return sendPage(reply.code(404), {
    title: 'Page not found',
    body: html`<p>There is no such page.</p><p><a href="/app">Go to Home</a></p>`,
  })
}

async function answerScreen(request: FastifyRequest, reply: FastifyReply, deps: PortalDeps): Promise<FastifyReply> {
  const [path = ''] = request.url.split('?')
  if (!acceptsPage(request)) throw notFound()
  if (path.startsWith('/admin/api/')) return answerNotFound(request, reply)
  if (!(await deps.sessions.find(request.headers.cookie))) return reply.redirect(signInPath(request.url), 303)
  if (deps.portal?.state() === 'building') return sendBuilding(reply)
  const index = await readBuilt('index.html')
  if (!index) return sendMissing(reply)
  const nonce = randomBytes(16).toString('base64')
  return reply
    .header('content-security-policy', policyFor(nonce))
    .type('text/html; charset=utf-8')
    .send(index.toString('utf8').replace('nonce=""', `nonce="${nonce}"`))
}

/** As on the other pages, except that styled-components inserts styles with the nonce of this response. */
function policyFor(nonce: string): string {
  return [
    "default-src 'none'",
    "base-uri 'none'",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self' data:",
    "object-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
  ].join(';')
}

function sendBuilding(reply: FastifyReply): FastifyReply {
  return sendPage(reply.code(503).header('refresh', '2').header('retry-after', 2), {
    title: 'Building the portal',
    body: html`<p>This takes a few seconds, once. The page reloads by itself.</p>`,
  })
}

function sendMissing(reply: FastifyReply): FastifyReply {
  return sendPage(reply.code(503), {
    title: 'The portal is not built',
    body: html`<p>Run <code>npm run build:portal</code> where the service is installed, then reload. The API works without it.</p>`,
  })
}

async function answerFile(
  request: FastifyRequest,
  reply: FastifyReply,
  folder: 'assets' | 'fonts',
  cacheControl: string,
): Promise<FastifyReply> {
  const { file } = request.params as { file: string }
  const type = types[file.slice(file.lastIndexOf('.') + 1)]
  if (!fileName.test(file) || type === undefined) throw notFound()
  const encoding = encodings.find(({ name }) => request.headers['accept-encoding']?.includes(name))
  const compressed = encoding && (await readBuilt(`${folder}/${file}.${encoding.suffix}`))
  const content = compressed ?? (await readBuilt(`${folder}/${file}`))
  if (!content) throw notFound()
  if (compressed && encoding) reply.header('content-encoding', encoding.name)
  return reply.type(type).header('cache-control', cacheControl).header('vary', 'accept-encoding').send(content)
}

/** Written by the build next to each script and style sheet, best first. */
const encodings = [
  { name: 'br', suffix: 'br' },
  { name: 'gzip', suffix: 'gz' },
]

function readBuilt(path: string): Promise<Buffer | undefined> {
  return readFile(new URL(path, portalDist)).catch(() => undefined)
}

/** A file that the server's own pages need, too, so it is served without a build. */
async function addSource(app: FastifyInstance, paths: string[], file: string): Promise<void> {
  const content = await readFile(new URL(`../../portal/${file}`, import.meta.url))
  const type = types[file.slice(file.lastIndexOf('.') + 1)] ?? ''
  for (const path of paths)
    app.get(path, hidden, async (_, reply) => reply.type(type).header('cache-control', day).send(content))
}

/** Whether a browser shows the response. */
function acceptsPage({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true
}

function notFound(): ServiceError {
  return new ServiceError('not_found', 'There is no such address.')
}
