import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SandboxStoreAddress, SandboxStoreOptions } from '../../sandbox/admin/store-list.ts'
import type { Fault, FaultKind } from '../../sandbox/faults/faults.ts'
import type { RequestEntry } from '../../sandbox/server/request-log.ts'
import type { SandboxOptions } from '../../sandbox/start.ts'

export type Side = 'source' | 'destination'
/** A side, or an additional store that the test requested. */
export type StoreName = Side | (string & {})
/** Everything a sandbox store holds, table by table. */
export type StoreState = Record<string, ({ id: number } & Record<string, unknown>)[]>
export type FaultWish = { kind: FaultKind } & Partial<Omit<Fault, 'id' | 'hits' | 'kind'>>
export type Change =
  | { op: 'set'; table: string; id: number; fields: Record<string, unknown> }
  | { op: 'remove' | 'double'; table: string; id: number }

/** The two stores of a world, and what a test does to them behind the service's back. */
export interface WorldSandbox {
  url: string
  address(side: StoreName): SandboxStoreAddress
  state(side: StoreName): Promise<StoreState>
  change(side: StoreName, change: Change): Promise<Record<string, unknown>>
  /** Sets switches of docs/sandbox-differences.md. */
  switchTo(side: StoreName, values: Record<string, unknown>): Promise<void>
  /** @returns the fault's id. */
  fault(side: StoreName, wish: FaultWish): Promise<number>
  faults(side: StoreName): Promise<Fault[]>
  clearFaults(side: StoreName): Promise<void>
  /** Answers the held calls; @returns how many there were. */
  release(side: StoreName): Promise<number>
  requests(side: StoreName, method?: string): Promise<RequestEntry[]>
  resetRequests(side: StoreName): Promise<void>
  token(side: StoreName, action: { action: 'revoke' } | { action: 'replace'; token: string }): Promise<string | null>
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url))

export interface SandboxProcess {
  url: string
  stores: Record<string, SandboxStoreAddress>
  /** Calls the admin API. @throws with the sandbox's answer if it is not 200 */
  admin<Answer>(method: string, path: string, body?: object): Promise<Answer>
  stop(): Promise<void>
}

/** A sandbox in a process of its own, which ends with this one. */
export async function startSandboxProcess(options: Omit<SandboxOptions, 'adminToken'>): Promise<SandboxProcess> {
  const adminToken = randomBytes(16).toString('hex')
  const child = spawn(process.execPath, [program, JSON.stringify({ ...options, adminToken })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { url, stores } = await readyLine(child)
  return {
    url,
    stores,
    admin: async <Answer>(method: string, path: string, body?: object) => {
      const ask = () =>
        fetch(`${url}/__sandbox/stores${path}`, {
          method,
          headers: { 'x-sandbox-admin': adminToken, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        })
      // While a test compares large stores, the sandbox closes the idle connection. The test notices on its next call, which was not sent.
      const response = await ask().catch(ask)
      if (!response.ok)
        throw new Error(`The sandbox refused ${method} ${path}: ${response.status} ${await response.text()}`)
      // Answers of the sandbox's own admin API, as docs/sandbox.md describes them.
      return (await response.json().catch(() => ({}))) as Answer
    },
    stop: () => stop(child),
  }
}

/** Two stores named `source` and `destination`, in a sandbox of their own. */
export async function startWorldSandbox(options: Omit<SandboxOptions, 'adminToken'>): Promise<WorldSandbox> {
  const sandbox = await startSandboxProcess(options)
  return storesOf(sandbox, sandbox.stores, sandbox.stop)
}

/** Stores opened in a sandbox that others use as well; only these stores are removed afterwards. */
export async function openStoresIn(sandbox: SandboxProcess, wishes: SandboxStoreOptions[]): Promise<WorldSandbox> {
  const opened: Record<string, SandboxStoreAddress> = {}
  for (const wish of wishes) {
    const hash = `t${randomBytes(6).toString('hex')}`
    opened[wish.name] = await sandbox.admin('POST', '', { ...wish, hash })
  }
  return storesOf(sandbox, opened, async () => {
    await Promise.all(Object.values(opened).map(({ hash }) => sandbox.admin('DELETE', `/${hash}`)))
  })
}

function storesOf(
  { url, admin }: SandboxProcess,
  stores: Record<string, SandboxStoreAddress>,
  stop: () => Promise<void>,
): WorldSandbox {
  const address = (side: StoreName) => {
    const store = stores[side]
    if (!store) throw new Error(`The sandbox has no store ${side}.`)
    return store
  }
  const ask = <Answer>(side: StoreName, method: string, path: string, body?: object): Promise<Answer> =>
    admin(method, `/${address(side).hash}${path}`, body)
  return {
    url,
    address,
    state: (side) => ask(side, 'GET', '/state'),
    change: (side, change) => ask(side, 'POST', '/state', change),
    switchTo: async (side, values) => void (await ask(side, 'POST', '/switches', values)),
    fault: async (side, wish) => (await ask<{ id: number }>(side, 'POST', '/faults', wish)).id,
    faults: (side) => ask(side, 'GET', '/faults'),
    clearFaults: async (side) => void (await ask(side, 'DELETE', '/faults')),
    release: async (side) => (await ask<{ released: number }>(side, 'POST', '/release')).released,
    requests: async (side, method) =>
      (await ask<{ requests: RequestEntry[] }>(side, 'GET', `/requests${method ? `?method=${method}` : ''}`)).requests,
    resetRequests: async (side) => void (await ask(side, 'DELETE', '/requests')),
    token: async (side, action) => (await ask<{ token: string | null }>(side, 'POST', '/token', action)).token,
    stop,
  }
}

async function readyLine(child: ChildProcess): Promise<{ url: string; stores: Record<string, SandboxStoreAddress> }> {
  let output = ''
  for await (const chunk of child.stdout ?? []) {
    output += chunk
    if (output.includes('\n')) return JSON.parse(output)
  }
  throw new Error(`The sandbox did not start: ${output}`)
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
