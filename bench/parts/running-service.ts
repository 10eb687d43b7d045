import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SandboxOptions } from '../../sandbox/start.ts'
import type { App } from '../../src/app.ts'
import { systemClock } from '../../src/clock.ts'
import { type Config, readConfig } from '../../src/config.ts'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/postgres/embedded-postgres.ts'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { createLog } from '../../src/log.ts'
import { type RunningSandbox, sandboxProcess } from './sandbox-process.ts'

/** The service may refuse requests or not respond on a busy machine: retry, as its clients do. */
const MOST_TRIES = 30

/** An organisation, and calls as its owner. */
export interface Member {
  organisation: string
  organisationId: string
  api<Body>(method: string, path: string, body?: object): Promise<Body>
}

/** The service with one organisation. */
export interface Service extends Member {
  app: App
  stop(): Promise<void>
}

export async function startService(directory: string, bigcommerceApiUrl: string): Promise<Service> {
  const { removeEmbeddedPostgres } = await import('../../src/app.ts')
  const { app, dataDirectory } = await startAppIn(directory, bigcommerceApiUrl)
  const stop = async () => {
    await app.stop()
    await removeEmbeddedPostgres(dataDirectory)
  }
  try {
    return { app, stop, ...(await signIn(app, 'Bench Outfitters')) }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The embedded PostgreSQL of a data directory, which a running service may use as well; the caller stops it. */
export function embeddedPostgres(dataDirectory: string): Promise<EmbeddedPostgres> {
  const log = createLog({ level: 'warn', role: 'bench', destination: process.stderr })
  return startEmbeddedPostgres({ dataDirectory, log, clock: systemClock })
}

/** A directory that is deleted with everything else of the bench. */
export async function temporaryDirectory(ending: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'storeferry-bench-'))
  ending.defer(() => rm(directory, { recursive: true }))
  return directory
}

/** A service to which all stores of a sandbox are connected; each has its hash for a name. */
export async function startConnected(
  ending: AsyncDisposableStack,
  directory: string,
  options: SandboxOptions,
): Promise<{ sandbox: RunningSandbox; service: Service }> {
  const sandbox = await sandboxProcess({ adminToken: randomBytes(16).toString('hex'), ...options })
  ending.defer(() => sandbox.stop())
  const service = await startService(directory, sandbox.url)
  ending.defer(() => service.stop())
  const { app, organisation } = service
  for (const { hash, token } of Object.values(sandbox.stores))
    await app.administration.connectStore({ organisation, hash, token, label: hash })
  return { sandbox, service }
}

/** The service with whatever an earlier one left in the directory. */
export async function startAppIn(directory: string, bigcommerceApiUrl: string) {
  const { startApp } = await import('../../src/app.ts')
  const port = await freePort()
  const config: Config = {
    ...readConfig({}),
    siteUrl: `http://127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    dataDirectory: join(directory, 'service'),
    bigcommerceApiUrl,
    logLevel: 'warn',
  }
  const log = createLog({ level: 'warn', role: 'bench', destination: process.stderr })
  return {
    app: await startApp({ roles: ['server', 'worker'], config, log }),
    dataDirectory: config.dataDirectory,
  }
}

/** What `signIn` signs in with, for a later start of the same service. */
export interface Login {
  username: string
  email: string
  organization_name: string
  client_id: string
  client_secret: string
}

/** Creates an organisation. */
export async function signIn(
  app: Pick<App, 'administration' | 'url'>,
  organisation: string,
): Promise<Member & { login: Login }> {
  const email = `owner@${organisation.toLowerCase().replaceAll(' ', '-')}.example`
  const owner = { firstName: 'Bea', lastName: 'Bench', email, password: randomBytes(24).toString('base64url') }
  const { organisationId } = await app.administration.createOrganisation({ name: organisation, owner })
  await app.administration.enableStoreMigration({ organisation })
  const { clientId: client_id, clientSecret: client_secret } = await app.administration.issueCredential({
    organisation,
  })
  const login = { username: 'Bea Bench', email, organization_name: organisation, client_id, client_secret }
  return { organisation, organisationId, login, api: apiOf(app.url, login) }
}

/** Calls with a token, which is asked for when it is missing or has expired. */
export function apiOf(url: string, login: Login): Member['api'] {
  // A login needs two stores, so it waits for the first pair.
  let bearerToken: string | undefined
  const ask = async <Body>(method: string, path: string, body?: object, tries = 1): Promise<Body> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(bearerToken && { authorization: `Bearer ${bearerToken}` }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (response.status === 401 && bearerToken !== undefined) {
      bearerToken = undefined
      return api(method, path, body)
    }
    const isWorthAsking = response.status === 503 || (method === 'GET' && response.status >= 500)
    if (isWorthAsking && tries < MOST_TRIES) {
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000)
      return ask(method, path, body, tries + 1)
    }
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    // Responses of the service, as openapi.json describes them.
    return (await response.json()) as Body
  }
  const api = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    bearerToken ??= (await ask<{ access_token: string }>('POST', '/v2/login', login)).access_token
    return ask<Body>(method, path, body)
  }
  return api
}

/** Waits until a run has ended, whatever its result. */
export async function ended(api: Service['api'], id: string): Promise<MigrationDetail> {
  for (;;) {
    const detail = await api<MigrationDetail>('GET', `/v2/migrations/${id}`)
    if (!['queued', 'in_progress'].includes(detail.status)) return detail
    await sleep(2_000)
  }
}

/** Waits until a run has ended. @throws unless it copied everything: what is not copied costs nothing */
export async function completed(api: Service['api'], id: string): Promise<MigrationDetail> {
  const detail = await ended(api, id)
  const { status, failuresOpen, summaryLine } = detail
  if (status !== 'completed' || failuresOpen > 0) throw new Error(`The copy ended ${status}: ${summaryLine}`)
  return detail
}
