import { afterEach } from 'vitest'
import { type Sandbox, type SandboxOptions, type SandboxStoreOptions, startSandbox } from '../../sandbox/start.ts'

export const ADMIN = 'admin-of-the-test'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads into answers of every shape
  body: any
}

export type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

/** Sandboxes that stop after the test. */
export const running: Sandbox[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.close()))
})

/** A store named `source` with the token `secret`, its admin API, and two ways to call it. */
export async function aSandbox(options: Partial<SandboxOptions> & { store?: Partial<SandboxStoreOptions> } = {}) {
  const { store, ...rest } = options
  const stores = [{ name: 'source', seed: 'empty' as const, token: 'secret', ...store }]
  const sandbox = await startSandbox({ stores, adminToken: ADMIN, ...rest })
  running.push(sandbox)
  const address = sandbox.stores.source
  if (!address) throw new Error('the sandbox did not start the store')
  const callAs =
    (token: string): Call =>
    (method, path, body) =>
      ask(`${address.url}${path}`, method, body, { 'X-Auth-Token': token })
  const admin: Call = (method, path, body) =>
    ask(`${sandbox.url}/__sandbox/stores/${address.hash}${path}`, method, body, { 'X-Sandbox-Admin': ADMIN })
  return { sandbox, url: address.url, call: callAs('secret'), callAs, admin }
}

export async function ask(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Answer> {
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const json: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const answer = await fetch(url, { method, headers: { ...json, ...headers }, ...sent, ...(signal ? { signal } : {}) })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
}

export async function until(claim: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!(await claim())) {
    if (Date.now() > deadline) throw new Error('waited ten seconds in vain')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
