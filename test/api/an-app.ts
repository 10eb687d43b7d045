import { randomBytes } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import type { SandboxStoreOptions } from '../../sandbox/admin/store-list.ts'
import { startSandbox } from '../../sandbox/start.ts'
import { aService, type Service, siteUrl, submit } from './a-service.ts'

export const app = { clientId: 'app1client', clientSecret: '5f'.repeat(32) }

type Event = 'install' | 'load' | 'uninstall' | 'remove-user'

/** A service with an app, and the platform on which stores install it. */
export interface AppWorld {
  service: Service
  platform: Platform
  close(): Promise<void>
}

export interface Platform {
  url: string
  /** Calls the sandbox's admin API below `/__sandbox/apps`. */
  admin(path: string, body?: object): Promise<Record<string, unknown>>
  /** What a merchant does in the control panel of a store. @returns the address that the platform calls then */
  does(event: Event, hash: string, wish?: object): Promise<string>
  /** The token of the app in a store; null without one. */
  tokenOf(hash: string): Promise<string | null>
}

export async function anAppWorld(stores: SandboxStoreOptions[]): Promise<AppWorld> {
  const adminToken = randomBytes(16).toString('hex')
  const callbacks = {
    auth: `${siteUrl}/auth`,
    load: `${siteUrl}/load`,
    uninstall: `${siteUrl}/uninstall`,
    removeUser: `${siteUrl}/remove_user`,
  }
  const sandbox = await startSandbox({ stores, plan: 'unlimited', adminToken, apps: [{ ...app, callbacks }] })
  const service = await aService({ bigcommerceApiUrl: sandbox.url, storeApp: { ...app, loginUrl: sandbox.url } })
  const headers = { 'x-sandbox-admin': adminToken, 'content-type': 'application/json' }
  async function ask(path: string, init: RequestInit) {
    const answer = await fetch(`${sandbox.url}/__sandbox${path}`, { headers, ...init })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    // Answers of the sandbox's own admin API, as docs/sandbox.md describes them.
    return answer.json() as Promise<unknown>
  }
  const admin = async (path: string, body: object = {}) =>
    (await ask(`/apps${path}`, { method: 'POST', body: JSON.stringify(body) })) as Record<string, unknown>
  const platform: Platform = {
    url: sandbox.url,
    admin,
    does: async (event, hash, wish) =>
      // The service of these tests does not listen, so they pass callbacks on themselves.
      String((await admin(`/${app.clientId}/stores/${hash}/${event}`, { send: false, ...wish })).url),
    tokenOf: async (hash) => {
      const accounts = (await ask(`/stores/${hash}/accounts`, {})) as { clientId: string; token: string | null }[]
      return accounts.find(({ clientId }) => clientId === app.clientId)?.token ?? null
    },
  }
  return {
    service,
    platform,
    close: async () => {
      await service.close()
      await sandbox.close()
    },
  }
}

/** The platform's request, or a browser's that follows its link. */
export function visit(
  { inject }: Service,
  url: string,
  { cookie, remoteAddress = '192.0.2.1' }: { cookie?: string; remoteAddress?: string } = {},
): Promise<LightMyRequestResponse> {
  const { pathname, search } = new URL(url, siteUrl)
  const headers = { accept: 'text/html', ...(cookie !== undefined && { cookie }) }
  return inject({ url: pathname + search, headers, remoteAddress })
}

/** Installs the app in a store and follows the platform's redirect. @returns the page that the merchant sees */
export async function install(world: AppWorld, hash: string): Promise<LightMyRequestResponse> {
  const answer = await visit(world.service, await world.platform.does('install', hash))
  return visit(world.service, String(answer.headers.location))
}

/** The key in a page's link to the claim page; undefined without one. */
export function keyIn(page: LightMyRequestResponse): string | undefined {
  return /\/app\/claim-store\?key=([\w-]{43})"/.exec(page.body)?.[1]
}

export async function installKey(world: AppWorld, hash: string): Promise<string> {
  const key = keyIn(await install(world, hash))
  if (key === undefined) throw new Error(`Installing the app in ${hash} gave no key.`)
  return key
}

export function claim(
  { service }: AppWorld,
  cookie: string,
  fields: { key: string; organisation: string; currentPassword?: string; code?: string },
): Promise<LightMyRequestResponse> {
  return submit(service, '/app/claim-store', fields, { cookie })
}
