import type { SandboxStoreOptions } from '../../sandbox/admin/store-list.ts'
import { type SandboxOptions, startSandbox } from '../../sandbox/start.ts'
import { ADMIN, ask, type Call, stopAfterTest } from './a-shop.ts'

/** A store named `source` with the token `secret`, its admin API, and two ways to call it. */
export async function aSandbox(options: Partial<SandboxOptions> & { store?: Partial<SandboxStoreOptions> } = {}) {
  const { store, ...rest } = options
  const stores = [{ name: 'source', seed: 'empty' as const, token: 'secret', ...store }]
  const sandbox = await startSandbox({ stores, adminToken: ADMIN, ...rest })
  stopAfterTest(sandbox)
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
