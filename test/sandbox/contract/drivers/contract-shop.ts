import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '../../../../sandbox/start.ts'
import { sentBody } from '../../picture-form.ts'

/** An id that no row of a small store has. */
export const NO_SUCH_ID = 99_999_999

export interface Answer {
  status: number
  /** Without its parameters; empty when there is no body. */
  mediaType: string
  body: unknown
}

export interface Call {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

/** A running sandbox store with the tiny seed, and the answers that drivers need to find their way in it. */
export interface Shop {
  call(call: Call): Promise<Answer>
  /** Address of a picture that can be fetched. */
  picture(file: string): string
  /** The first row of a list. */
  first(path: string): Promise<Found>
  /** What a GET, POST or PUT answers as `data`; anything but a success throws. */
  made(method: string, path: string, body?: unknown): Promise<Found>
}

/** An entity of the shop; every one that drivers ask for has an id. */
export type Found = { id: number } & Record<string, unknown>

interface OpenShop {
  sandbox: Sandbox
  folder: string
}

/** Shops in which every write was refused, by the scopes of their token: as good as new. */
const unchanged = new Map<string, OpenShop[]>()

/** A folder with a new shop, by the scopes of its token: to copy its file takes a fraction of the time that its seed takes. */
const planted = new Map<string, Promise<string>>()

/** Runs `visit` in a shop that no operation before it has changed. */
export async function inShop<T>(visit: (shop: Shop) => Promise<T>, scopes?: string[]): Promise<T> {
  const alike = unchanged.get(String(scopes)) ?? []
  unchanged.set(String(scopes), alike)
  const open = alike.pop() ?? (await openShop(scopes))
  const writes = { applied: false }
  try {
    return await visit(shopOf(open.sandbox, writes))
  } finally {
    if (writes.applied) await close(open)
    else alike.push(open)
  }
}

async function openShop(scopes: string[] | undefined): Promise<OpenShop> {
  const before = planted.get(String(scopes)) ?? plantShop(scopes)
  planted.set(String(scopes), before)
  const folder = await newFolder()
  await cp(await before, folder, { recursive: true })
  return { sandbox: await startShop(folder, scopes), folder }
}

async function plantShop(scopes: string[] | undefined): Promise<string> {
  const folder = await newFolder()
  await (await startShop(folder, scopes)).close()
  return folder
}

const newFolder = () => mkdtemp(join(tmpdir(), 'storeferry-shop-'))

const startShop = (dataDirectory: string, scopes: string[] | undefined) =>
  startSandbox({
    dataDirectory,
    stores: [{ name: 'shop', seed: 'tiny', token: 'secret', scopes, profile: 'documented' }],
  })

async function close({ sandbox, folder }: OpenShop): Promise<void> {
  await sandbox.close()
  await rm(folder, { recursive: true })
}

export async function closeShops(): Promise<void> {
  const left = [...unchanged.values()].flat()
  const folders = await Promise.all(planted.values())
  unchanged.clear()
  planted.clear()
  await Promise.all([...left.map(close), ...folders.map((folder) => rm(folder, { recursive: true }))])
}

function shopOf(sandbox: Sandbox, writes: { applied: boolean }): Shop {
  const { url = '' } = sandbox.stores.shop ?? {}
  const call = async (given: Call) => {
    const answer = await ask(url, given)
    if (given.method !== 'GET' && answer.status < 400) writes.applied = true
    return answer
  }
  const made = async (method: string, path: string, body?: unknown) => {
    const answer = await call({ method, path, body })
    const { data } = (answer.body ?? {}) as { data?: unknown }
    if (answer.status >= 300 || !data)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return data as Found
  }
  const first = async (path: string) => {
    const [row] = (await made('GET', path)) as unknown as Found[]
    if (!row) throw new Error(`GET ${path} has no rows`)
    return row
  }
  return { call, made, first, picture: (file) => `${url}/images/${file}` }
}

async function ask(url: string, { method, path, body, headers }: Call): Promise<Answer> {
  const sent = sentBody(body)
  const answer = await fetch(`${url}${path}`, {
    ...sent,
    method,
    headers: { 'X-Auth-Token': 'secret', ...sent.headers, ...headers },
  })
  const text = await answer.text()
  const mediaType = (answer.headers.get('Content-Type') ?? '').split(';')[0] ?? ''
  return { status: answer.status, mediaType, body: text === '' ? undefined : JSON.parse(text) }
}
