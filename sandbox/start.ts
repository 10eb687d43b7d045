import { createReadStream, mkdirSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { cloneStore, exportedStore, importStore } from './admin/store-file.ts'
import type { SandboxStoreAddress, SandboxStoreOptions, StoreList } from './admin/store-list.ts'
import { type AppOptions, Apps } from './apps/apps.ts'
import { Router } from './http/router.ts'
import { resources } from './registry.ts'
import { plantSeed } from './seeds/plant-seed.ts'
import { Accounts, MAIN_ACCOUNT } from './server/accounts.ts'
import { listen, stopListening } from './server/listen.ts'
import { PLAN_QUOTAS, type Plan, type QuotaSettings } from './server/quota.ts'
import { type LatencyMs, StoreHost } from './server/store-host.ts'
import { createSandboxServer, createSandboxTlsServer, type ServerParts } from './server.ts'
import { switchesOf } from './store/profiles.ts'
import { seededRandom, seedOf } from './store/random.ts'
import { SqliteStore } from './store/sqlite-store.ts'
import type { SandboxStore } from './store/store.ts'
import { complaintAboutSwitches } from './store/switches.ts'
import { watchedRoute } from './webhooks/watched-route.ts'
import { webhooksOf } from './webhooks/webhooks.ts'

export interface SandboxOptions {
  /** 0 or absent: any free port. */
  port?: number
  stores: SandboxStoreOptions[]
  /** `unlimited` by default. */
  plan?: Plan
  /** Overrides the plan's quota. */
  quota?: QuotaSettings
  latencyMs?: Partial<LatencyMs>
  jitterSeed?: number
  /** Folder for the SQLite files, one per store, which the next start opens again. Absent: stores are in memory. */
  dataDirectory?: string
  /** Apps that stores can install; the admin API adds others. */
  apps?: AppOptions[]
  /** Without a token there is no admin API. */
  adminToken?: string
  /** Also serves the same stores over TLS, with a certificate made at startup. */
  tls?: boolean
  /** Only with `tls`. 0 or absent: any free port. */
  tlsPort?: number
}

export interface SandboxTls {
  port: number
  /** `https://127.0.0.1:<port>`. */
  url: string
  /** PEM, for localhost, 127.0.0.1 and api.bigcommerce.com. Self-signed, so a client has to trust it explicitly. */
  certificate: string
}

export interface Sandbox {
  url: string
  port: number
  tls?: SandboxTls
  stores: Record<string, SandboxStoreAddress>
  store(name: string): SandboxStore
  /**
   * Opens another store while the sandbox runs.
   * @throws if its options are invalid or its hash is taken
   */
  addStore(options: SandboxStoreOptions): Promise<SandboxStoreAddress>
  /** Closes a store, and deletes it unless it is in a data directory. */
  removeStore(hash: string): void
  /** Exports the store as NDJSON, without writes made in the meantime. */
  exportStore(name: string, to: Writable): Promise<void>
  /** Fills an empty store from NDJSON, or throws and leaves it unchanged. */
  importStore(name: string, from: AsyncIterable<Uint8Array | string>): Promise<void>
  cloneStore(from: string, to: string): Promise<void>
  close(): Promise<void>
}

const HASH = /^[a-z0-9]{1,20}$/

function hashOf({ name, hash }: SandboxStoreOptions): string {
  const chosen =
    hash ??
    (name
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .slice(0, 20) ||
      'store')
  if (!HASH.test(chosen)) throw new Error(`Store hash "${chosen}" must match ${HASH.source}`)
  return chosen
}

function openStore(options: SandboxStoreOptions, dataDirectory: string | undefined): SqliteStore {
  const hash = hashOf(options)
  const switches = { ...switchesOf(options.profile), ...options.switches }
  const complaint = complaintAboutSwitches(switches)
  if (complaint) throw new Error(complaint)
  const file = dataDirectory ? join(dataDirectory, `${hash}.sqlite`) : ':memory:'
  return new SqliteStore({ name: options.name, hash, file, switches })
}

function hostOf(store: SqliteStore, options: SandboxStoreOptions, sandbox: SandboxOptions): StoreHost {
  const { token, scopes, accounts = [] } = options
  const everyAccount = new Accounts(store, [{ name: MAIN_ACCOUNT, token, scopes }, ...accounts])
  const random = seededRandom((sandbox.jitterSeed ?? 1) + seedOf(store.hash))
  const latencyMs = { read: 0, write: 0, heavy: 0, ...sandbox.latencyMs, ...options.latencyMs }
  return new StoreHost(store, everyAccount, { quota: quotaOf(options, sandbox), latencyMs }, random)
}

/** Options of the store override those of the sandbox, and a quota overrides a plan. */
function quotaOf(options: SandboxStoreOptions, sandbox: SandboxOptions): QuotaSettings {
  const own = options.quota ?? (options.plan && PLAN_QUOTAS[options.plan])
  return own ?? sandbox.quota ?? PLAN_QUOTAS[sandbox.plan ?? 'unlimited']
}

function addressOf({ accounts, store }: StoreHost, url: string): SandboxStoreAddress {
  const tokens = accounts
    .list()
    .flatMap(({ name, clientId, token }) => (token === undefined ? [] : [[name, { clientId, token }] as const]))
  return {
    name: store.name,
    hash: store.hash,
    token: accounts.named(MAIN_ACCOUNT)?.token ?? '',
    accounts: Object.fromEntries(tokens),
    url: `${url}/stores/${store.hash}`,
  }
}

/** Starts a BigCommerce on the loopback interface. Once the promise resolves, it accepts requests. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const hosts = new Map<string, StoreHost>()
  const closing = new AbortController()
  const servers: Server[] = []
  const close = async () => {
    closing.abort()
    for (const host of hosts.values()) webhooksOf(host.store).close()
    await Promise.all(servers.map(stopListening))
    for (const hash of [...hosts.keys()]) closeHost(hosts, hash)
  }
  try {
    if (options.dataDirectory) mkdirSync(options.dataDirectory, { recursive: true })
    const opened = options.stores.map((each) => ({ storeOptions: each, host: openHost(each, options, hosts) }))
    let url = ''
    const stores: StoreList = {
      add: async (storeOptions) => {
        const host = openHost(storeOptions, options, hosts)
        try {
          await fillStore(storeOptions, host, url)
        } catch (error) {
          stores.remove(host.store.hash)
          throw error
        }
        return addressOf(host, url)
      },
      remove: (hash) => closeHost(hosts, hash),
    }
    const parts = partsOf(options, hosts, stores, closing.signal)
    const server = createSandboxServer(parts)
    servers.push(server)
    const port = await listen(server, options.port ?? 0, 'port')
    const secure = options.tls ? await listenWithTls(parts, options.tlsPort ?? 0) : undefined
    if (secure) servers.push(secure.server)
    url = `http://127.0.0.1:${port}`
    for (const { storeOptions, host } of opened) await fillStore(storeOptions, host, url)
    return {
      url,
      port,
      ...(secure && { tls: secure.tls }),
      stores: Object.fromEntries([...hosts.values()].map((host) => [host.store.name, addressOf(host, url)])),
      store: (name) => storeNamed(hosts, name),
      addStore: stores.add,
      removeStore: stores.remove,
      exportStore: (name, to) => pipeline(Readable.from(exportedStore(storeNamed(hosts, name))), to),
      importStore: (name, from) => importStore(storeNamed(hosts, name), from),
      cloneStore: (from, to) => cloneStore(storeNamed(hosts, from), storeNamed(hosts, to)),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function closeHost(hosts: Map<string, StoreHost>, hash: string): void {
  const host = hosts.get(hash)
  if (!host) return
  hosts.delete(hash)
  webhooksOf(host.store).close()
  host.store.close()
}

/** Opens a store, whose hash must be unused. */
function openHost(
  storeOptions: SandboxStoreOptions,
  options: SandboxOptions,
  hosts: Map<string, StoreHost>,
): StoreHost {
  if (hosts.has(hashOf(storeOptions)))
    throw new Error(`Two stores have the hash ${hashOf(storeOptions)}; give one of them another`)
  const host = hostOf(openStore(storeOptions, options.dataDirectory), storeOptions, options)
  hosts.set(host.store.hash, host)
  return host
}

function partsOf(
  options: SandboxOptions,
  hosts: Map<string, StoreHost>,
  stores: StoreList,
  closing: AbortSignal,
): ServerParts {
  const apps = new Apps()
  for (const app of options.apps ?? []) apps.add(app)
  return {
    hosts,
    apps,
    stores,
    router: new Router(resources.flatMap((resource) => resource.routes).map(watchedRoute)),
    random: seededRandom(options.jitterSeed ?? 1),
    adminToken: options.adminToken,
    closing,
  }
}

/** Called once the server listens, because picture addresses contain the port. */
async function fillStore(storeOptions: SandboxStoreOptions, { store }: StoreHost, url: string): Promise<void> {
  store.imageBase = `${url}/stores/${store.hash}/images`
  if (storeOptions.file !== undefined && store.note('seed') === undefined)
    await importStore(store, createReadStream(storeOptions.file))
  else plantSeed(store, storeOptions.seed ?? 'empty')
}

async function listenWithTls(parts: ServerParts, requestedPort: number): Promise<{ server: Server; tls: SandboxTls }> {
  // Imported here, so that a sandbox without TLS does not load the certificate code.
  const { makeCertificate } = await import('./server/certificate.ts')
  const certificate = await makeCertificate()
  const server = createSandboxTlsServer(parts, certificate)
  const port = await listen(server, requestedPort, 'TLS port')
  return { server, tls: { port, url: `https://127.0.0.1:${port}`, certificate: certificate.certificate } }
}

function storeNamed(hosts: Map<string, StoreHost>, name: string): SqliteStore {
  for (const host of hosts.values()) if (host.store.name === name) return host.store
  throw new Error(`The sandbox has no store ${name}`)
}
