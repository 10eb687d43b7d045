import { randomBytes } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { startSandbox } from '../../sandbox/start.ts'
import { anOrganisation, aService, type Organisation, type Service, siteUrl, submit } from './a-service.ts'

export const app = { clientId: 'app1client', clientSecret: '5f'.repeat(32) }

type Event = 'install' | 'load' | 'uninstall' | 'remove-user'

/** A service with an app, and the platform on which stores install it. */
export interface AppWorld {
  service: Service
  platform: Platform
  /** A store and an organisation that no other test has used, and the rate limits of a new minute. */
  another(): Promise<OwnStore>
  close(): Promise<void>
}

export interface OwnStore {
  hash: string
  organisation: Organisation
  /** Of an owner who is signed in. */
  cookie: string
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

/** @param count how many stores its tests use */
export async function anAppWorld(count: number): Promise<AppWorld> {
  const stores = Array.from({ length: count }, (_, at) => ({ name: `shop${at}`, seed: 'empty' as const }))
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
  const unused = stores.values()
  return {
    service,
    platform,
    another: async () => {
      const { value } = unused.next()
      if (!value) throw new Error(`All ${count} stores are used.`)
      service.clock.jumpSeconds(60)
      const organisation = await anOrganisation(service, { stores: [] })
      return { hash: value.name, organisation, cookie: await organisation.cookie() }
    },
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

/** Installs the app in the store, and has its owner claim it. */
export async function installAndClaim(world: AppWorld, { hash, organisation, cookie }: OwnStore): Promise<void> {
  const answer = await claim(world, cookie, { key: await installKey(world, hash), organisation: organisation.id })
  if (answer.statusCode !== 303 || answer.headers.location !== `/app/stores?org=${organisation.id}`)
    throw new Error(`Claiming ${hash} was answered with ${answer.statusCode}: ${answer.body}`)
}
