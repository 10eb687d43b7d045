import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SandboxStoreOptions } from '../../../sandbox/admin/store-list.ts'
import { type SandboxOptions, startSandbox } from '../../../sandbox/start.ts'
import { shopOf, stopAfterTest } from '../a-shop.ts'

const LONGEST_RUN_MS = 60_000
const PRELOAD = fileURLToPath(new URL('to-the-sandbox.ts', import.meta.url))

/** The result of a scenario, as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads into answers of every shape
export type ScenarioResult = any

/** A sandbox store that a client in its own process uses as the platform. */
export async function aPlatform(store: Partial<SandboxStoreOptions> = {}, options: Partial<SandboxOptions> = {}) {
  const stores = [{ name: 'shop', seed: 'empty' as const, ...store }]
  const sandbox = await startSandbox({ stores, tls: true, adminToken: 'admin-of-the-test', ...options })
  stopAfterTest(sandbox)
  const shop = shopOf(sandbox, 'shop')
  const { token = '' } = sandbox.stores.shop ?? {}
  const statuses = async () => {
    const { requests } = (await shop.admin('GET', '/requests')).body
    return requests.map(({ status }: { status: number }) => status)
  }
  return { ...shop, token, tls: sandbox.tls, statuses }
}

export type Platform = Awaited<ReturnType<typeof aPlatform>>

/** Runs one scenario of a client against the store. */
export async function runClient(
  script: string,
  platform: Platform,
  scenario: string,
  wishes: { token?: string; input?: unknown; env?: Record<string, string> } = {},
): Promise<ScenarioResult> {
  const file = fileURLToPath(new URL(script, import.meta.url))
  const parameters = ['--import', PRELOAD, file, scenario, JSON.stringify(wishes.input ?? null)]
  const token = wishes.token === undefined ? {} : { ACCESS_TOKEN: wishes.token }
  return JSON.parse(await runWithSandbox(process.execPath, parameters, platform, { ...token, ...wishes.env }))
}

/** What a program prints that finds the store, its token and the sandbox in its environment. */
export async function runWithSandbox(
  program: string,
  parameters: string[],
  { hash, token, tls }: Platform,
  env: Record<string, string | undefined> = {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-client-'))
  const authority = join(folder, 'sandbox.pem')
  writeFileSync(authority, tls?.certificate ?? '')
  try {
    return await printedBy(program, parameters, {
      STORE_HASH: hash,
      ACCESS_TOKEN: token,
      SANDBOX_TLS_PORT: String(tls?.port),
      NODE_EXTRA_CA_CERTS: authority,
      REQUESTS_CA_BUNDLE: authority,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...env,
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function printedBy(program: string, parameters: string[], env: Record<string, string | undefined>): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, parameters, { env, timeout: LONGEST_RUN_MS }, (error, stdout, stderr) => {
      if (error) reject(new Error(`the client failed: ${error.message}\n${stderr}`))
      else resolve(stdout)
    })
  })
}
