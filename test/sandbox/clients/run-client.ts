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
  wishes: { token?: string; input?: unknown } = {},
): Promise<ScenarioResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-client-'))
  const authority = join(folder, 'sandbox.pem')
  writeFileSync(authority, platform.tls?.certificate ?? '')
  try {
    const file = fileURLToPath(new URL(script, import.meta.url))
    const printed = await printedBy(['--import', PRELOAD, file, scenario, JSON.stringify(wishes.input ?? null)], {
      STORE_HASH: platform.hash,
      ACCESS_TOKEN: wishes.token ?? platform.token,
      SANDBOX_TLS_PORT: String(platform.tls?.port),
      NODE_EXTRA_CA_CERTS: authority,
    })
    return JSON.parse(printed)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function printedBy(parameters: string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, parameters, { env, timeout: LONGEST_RUN_MS }, (error, stdout, stderr) => {
      if (error) reject(new Error(`the client failed: ${error.message}\n${stderr}`))
      else resolve(stdout)
    })
  })
}
