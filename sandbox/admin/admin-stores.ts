import type { IncomingMessage } from 'node:http'
import type { SandboxAnswer } from '../http/resource.ts'
import { SEEDS } from '../seeds/plant-seed.ts'
import { type AdminParts, adminRefusal, readAdminBody } from './admin.ts'
import { done, refused } from './admin-answers.ts'
import type { SandboxStoreOptions, StoreList } from './store-list.ts'

/** Options a caller may give; `file` is not among them, because it names a file of this machine. */
const OPTIONS = ['name', 'hash', 'token', 'seed', 'scopes', 'accounts', 'plan', 'quota', 'latencyMs', 'switches']

/** Opens and closes stores while the sandbox runs. @returns undefined for any other call */
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
    return refused(400, `A store has no option ${unknown.join(', ')}; it has ${OPTIONS.join(', ')}`)
  if (typeof body.name !== 'string' || body.name === '') return refused(400, 'name must be a text')
  if (body.seed !== undefined && !SEEDS.some((seed) => seed === body.seed))
    return refused(400, `There is no seed ${body.seed}; there are ${SEEDS.join(', ')}`)
  try {
    // The rest is checked where a store is opened, as with options given at the start.
    return done(await stores.add({ ...body, name: body.name } as SandboxStoreOptions))
  } catch (error) {
    return refused(400, error instanceof Error ? error.message : String(error))
  }
}
