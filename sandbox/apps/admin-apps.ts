import type { IncomingMessage } from 'node:http'
import { type AdminParts, adminRefusal, readAdminBody } from '../admin/admin.ts'
import { done, refused } from '../admin/admin-answers.ts'
import type { SandboxAnswer } from '../http/resource.ts'
import type { StoreHost } from '../server/store-host.ts'
import { type App, type AppCallbacks, type AppOptions, type Apps, accountOf } from './apps.ts'
import { OWNER, STAFF } from './people.ts'
import { type PayloadWish, signedPayload } from './signed-payload.ts'

interface AppParts extends AdminParts {
  apps: Apps
}

type Body = Record<string, unknown>

/**
 * Registers apps, and does in the control panel of a store what merchants do with them.
 *
 * @returns undefined for any other call
 */
export async function handleApps(
  parts: AppParts,
  request: IncomingMessage,
  path: string,
  text: string,
): Promise<SandboxAnswer | undefined> {
  if (path !== '/__sandbox/apps' && !path.startsWith('/__sandbox/apps/')) return undefined
  const refusal = adminRefusal(parts, request)
  if (refusal) return refusal
  const read = readAdminBody(request, text)
  if ('refusal' in read) return read.refusal
  const [clientId, stores, hash, event, ...more] = path.split('/').slice(3)
  const call = `${request.method} ${[clientId && 'app', stores, hash && 'hash', event].filter(Boolean).join('/')}`
  if (call === 'GET ') return done(parts.apps.list().map(described))
  if (call === 'POST ') return addApp(parts.apps, read.body)
  const app = parts.apps.named(clientId ?? '')
  if (!app) return refused(404, `No app ${clientId}`)
  if (call === 'POST app') return changeApp(app, read.body)
  const host = parts.hosts.get(hash ?? '')
  if (!host || more.length > 0 || !call.startsWith('POST app/stores/hash/')) return refused(404, 'No such admin path')
  return act(parts.apps, { app, host, event: event ?? '', body: read.body })
}

function described({ clientSecret: _, ...app }: App) {
  return app
}

function addApp(apps: Apps, body: Body): SandboxAnswer {
  if (!isAppOptions(body))
    return refused(
      400,
      'clientId and clientSecret must be strings, callbacks an object with auth and load, and perhaps uninstall and removeUser, http addresses of this machine; scopes may be a list of strings, codeSeconds a number',
    )
  const app = apps.add(body)
  return app ? done(described(app)) : refused(409, `There is an app ${body.clientId}`)
}

function isAppOptions(body: Body): body is Body & AppOptions {
  const { clientId, clientSecret, scopes, callbacks, codeSeconds } = body
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  return (
    isText(clientId) &&
    isText(clientSecret) &&
    (scopes === undefined || (Array.isArray(scopes) && scopes.every(isText))) &&
    (codeSeconds === undefined || typeof codeSeconds === 'number') &&
    areCallbacks(callbacks)
  )
}

/** The sandbox calls no other machine. */
function areCallbacks(callbacks: unknown): callbacks is AppCallbacks {
  if (typeof callbacks !== 'object' || callbacks === null) return false
  const known = ['auth', 'load', 'uninstall', 'removeUser']
  const given = Object.entries(callbacks)
  const isHere = (address: unknown) =>
    typeof address === 'string' && /^(localhost|127\.0\.0\.1)$/.test(URL.parse(address)?.hostname ?? '')
  return 'auth' in callbacks && 'load' in callbacks && given.every(([name, to]) => known.includes(name) && isHere(to))
}

/** Later installations get the new scopes. */
function changeApp(app: App, { tokenStatus, codeSeconds, scopes }: Body): SandboxAnswer {
  if (tokenStatus === null) app.tokenStatus = undefined
  if (typeof tokenStatus === 'number') app.tokenStatus = tokenStatus
  if (typeof codeSeconds === 'number') app.codeSeconds = codeSeconds
  if (Array.isArray(scopes)) app.scopes = scopes.map(String)
  return done(described(app))
}

interface Act {
  app: App
  host: StoreHost
  event: string
  body: Body
}

async function act(apps: Apps, { app, host, event, body }: Act): Promise<SandboxAnswer> {
  if (event === 'install') return done(apps.install(app, host))
  const installed = accountOf(app, host)
  const address = {
    load: app.callbacks.load,
    uninstall: app.callbacks.uninstall,
    'remove-user': app.callbacks.removeUser,
  }
  if (!Object.hasOwn(address, event)) return refused(404, 'No such admin path')
  if (installed?.token === undefined) return refused(409, `The app is not installed in store ${host.store.hash}`)
  const to = address[event as keyof typeof address]
  if (to === undefined) return done({})
  const url = new URL(to)
  url.searchParams.set('signed_payload_jwt', signedPayload(app, host.store.hash, wishOf(body, event)))
  if (event === 'load') return done({ url: url.href })
  if (event === 'uninstall') host.accounts.changeToken(installed, undefined)
  // The platform ignores the answer.
  return done({ url: url.href, ...(body.send !== false && { httpStatus: await sendGet(url) }) })
}

function wishOf({ user, secondsAgo, claims, algorithm, secret }: Body, event: string): PayloadWish {
  const byStaff = user === 'staff' || event === 'remove-user'
  return {
    user: byStaff ? STAFF : OWNER,
    ...(typeof secondsAgo === 'number' && { secondsAgo }),
    ...(typeof claims === 'object' && claims !== null && { claims: { ...claims } }),
    ...((algorithm === 'none' || algorithm === 'HS512') && { algorithm }),
    ...(typeof secret === 'string' && { secret }),
  }
}

const CALLBACK_TIMEOUT_MS = 10_000

/** @returns null without an answer */
async function sendGet(url: URL): Promise<number | null> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(CALLBACK_TIMEOUT_MS) })
    await answer.body?.cancel()
    return answer.status
  } catch {
    return null
  }
}
