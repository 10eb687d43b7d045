import type { IncomingMessage } from 'node:http'
import type { SandboxAnswer } from '../http/resource.ts'
import { SEEDS } from '../seeds/plant-seed.ts'
import { type AdminParts, adminRefusal, readAdminBody } from './admin.ts'
import { done, refused } from './admin-answers.ts'
import type { SandboxStoreOptions, StoreList } from './store-list.ts'

/** Options that a caller may set. `file` is not among them, because it names a file on this machine. */
const OPTIONS = [
  'name',
  'hash',
  'token',
  'seed',
  'scopes',
  'accounts',
  'plan',
  'quota',
  'latencyMs',
  'profile',
  'switches',
]

/**
 * Opens and closes stores while the sandbox runs.
 * @returns undefined for any other call
 */
export async function changeStores(
  parts: AdminParts & { stores: StoreList },
  request: IncomingMessage,
  path: string,
  text: string,
): Promise<SandboxAnswer | undefined> {
  const [hash, ...more] = path.replace(/^\/__sandbox\/stores\/?/, '').split('/')
  if (!path.startsWith('/__sandbox/stores') || more.length > 0) return undefined
  const opens = request.method === 'POST' && hash === ''
  if (!opens && !(request.method === 'DELETE' && hash)) return undefined
  const refusal = adminRefusal(parts, request)
  if (refusal) return refusal
  if (!opens) return closeStore(parts, hash ?? '')
  const read = readAdminBody(request, text)
  return 'refusal' in read ? read.refusal : openStore(parts, read.body)
}

function closeStore({ hosts, stores }: AdminParts & { stores: StoreList }, hash: string): SandboxAnswer {
  if (!hosts.has(hash)) return refused(404, `No store ${hash}`)
  stores.remove(hash)
  return done({})
}

async function openStore({ stores }: { stores: StoreList }, body: Record<string, unknown>): Promise<SandboxAnswer> {
  const unknown = Object.keys(body).filter((key) => !OPTIONS.includes(key))
  if (unknown.length > 0)
    return refused(400, `Unknown store option ${unknown.join(', ')}; it has ${OPTIONS.join(', ')}`)
  if (typeof body.name !== 'string' || body.name === '') return refused(400, 'name must be a string')
  if (body.seed !== undefined && !SEEDS.some((seed) => seed === body.seed))
    return refused(400, `Unknown seed ${body.seed}; there are ${SEEDS.join(', ')}`)
  try {
    // Opening the store validates the rest, as it does for options given at startup.
    return done(await stores.add({ ...body, name: body.name } as SandboxStoreOptions))
  } catch (error) {
    return refused(400, error instanceof Error ? error.message : String(error))
  }
}
