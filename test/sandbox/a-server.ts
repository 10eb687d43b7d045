import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { Apps } from '../../sandbox/apps/apps.ts'
import type { SandboxRoute } from '../../sandbox/http/resource.ts'
import { Router } from '../../sandbox/http/router.ts'
import { Accounts, MAIN_ACCOUNT } from '../../sandbox/server/accounts.ts'
import { StoreHost } from '../../sandbox/server/store-host.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { SqliteStore } from '../../sandbox/store/sqlite-store.ts'

/** A server with routes of the test's own and one empty store, `shop` with the token `secret`. */
export async function aServer(routes: SandboxRoute[]) {
  const store = new SqliteStore({ name: 'shop', hash: 'shop', file: ':memory:', switches: {} })
  const accounts = new Accounts(store, [{ name: MAIN_ACCOUNT, token: 'secret' }])
  const settings = { quota: { requests: Infinity, windowMs: 1000 }, latencyMs: { read: 0, write: 0, heavy: 0 } }
  const host = new StoreHost(store, accounts, settings, () => 0)
  const closing = new AbortController()
  const server = createSandboxServer({
    apps: new Apps(),
    hosts: new Map([['shop', host]]),
    router: new Router(routes),
    random: () => 0,
    adminToken: undefined,
    closing: closing.signal,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    closing.abort()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    store.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/stores/shop` }
}
