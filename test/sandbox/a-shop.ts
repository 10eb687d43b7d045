import { onTestFinished } from 'vitest'
import type { SandboxStoreOptions } from '../../sandbox/admin/store-list.ts'
import { insertBrand } from '../../sandbox/resources/catalog/brands.ts'
import { insertCategory } from '../../sandbox/resources/catalog/categories.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start.ts'
import type { SandboxStore } from '../../sandbox/store/store.ts'

export const ADMIN = 'admin-of-the-test'

export const PRODUCTS = '/v3/catalog/products'
export const BRANDS = '/v3/catalog/brands'
export const CATEGORIES = '/v3/catalog/trees/categories'
export const TREES = '/v3/catalog/trees'
export const VARIANTS = '/v3/catalog/variants'
export const PRICE_LISTS = '/v3/pricelists'
export const LOCATIONS = '/v3/inventory/locations'

/** The address that the `type` of a v3 error points to. */
export const STATUS_PAGE = 'https://developer.bigcommerce.com/api-docs/getting-started/api-status-codes'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads into answers of every shape
  body: any
}

type Body = Record<string, unknown>
export type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

/** Sandboxes to close after the test. A test that closes one itself removes it from the list. */
export const running: Sandbox[] = []

export function stopAfterTest(sandbox: Sandbox): Sandbox {
  running.push(sandbox)
  onTestFinished(async () => {
    await Promise.all(running.splice(0).map((one) => one.close()))
  })
  return sandbox
}

/** A sandbox with one store; it stops by itself after the test. */
export async function aShop(store: Partial<SandboxStoreOptions> = {}, options: Partial<SandboxOptions> = {}) {
  const stores = [{ name: 'shop', seed: 'empty' as const, token: 'secret', ...store }]
  const sandbox = await startSandbox({ stores, adminToken: ADMIN, ...options })
  stopAfterTest(sandbox)
  return shopOf(sandbox, 'shop')
}

export type Shop = Awaited<ReturnType<typeof aShop>>

/** One store of a running sandbox, with helpers for what most tests need. */
export function shopOf(sandbox: Sandbox, name: string) {
  const address = sandbox.stores[name]
  if (!address) throw new Error(`the sandbox has no store ${name}`)
  const store = sandbox.store(name)
  const token = { 'X-Auth-Token': address.token }
  const call: Call = (method, path, body, headers) =>
    ask(`${address.url}${path}`, method, body, { ...token, ...headers })
  const admin: Call = (method, path, body) =>
    ask(`${sandbox.url}/__sandbox/stores/${address.hash}${path}`, method, body, { 'X-Sandbox-Admin': ADMIN })
  const made = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body?.data
  }
  return {
    sandbox,
    store,
    url: address.url,
    hash: address.hash,
    call,
    admin,
    /** `data` of an answer that must be successful. */
    made,
    get: (path: string) => call('GET', path),
    /** `data` of a list that must be successful. */
    rows: (path: string) => made('GET', path),
    aProduct: (fields: Body = {}) => made('POST', PRODUCTS, product(fields)),
    /** Address of a picture that can be fetched. */
    picture: (file: string) => `${store.imageBase}/${file}`,
    aBrand: (brandName: string) => insertBrand(store, { name: brandName }).id,
    aCategory: (categoryName: string, parentId = 0) => aCategory(store, categoryName, parentId),
    treeId: () => treeIdOf(store),
    fault: (wish: Body) => admin('POST', '/faults', wish),
  }
}

function treeIdOf(store: SandboxStore): number {
  return store.table('category_trees').find({})[0]?.id ?? 0
}

function aCategory(store: SandboxStore, name: string, parentId: number): number {
  return insertCategory(store, { treeId: treeIdOf(store), parentId }, { name }).id
}

/** The minimum that the platform accepts, plus what the test is about. */
export function product(fields: Body = {}): Body {
  return { name: 'Linen Shirt', type: 'physical', weight: 0.4, price: 49, ...fields }
}

export function variant(sku: string, choices: Record<string, string>, fields: Body = {}): Body {
  const option_values = Object.entries(choices).map(([option_display_name, label]) => ({ option_display_name, label }))
  return { sku, option_values, ...fields }
}

export function aLocation(code: string, fields: Body = {}): Body {
  const place = { geo_coordinates: { latitude: 52.5, longitude: 13.4 }, email: 'depot@example.com' }
  const address = {
    address1: '1 Depot Road',
    city: 'Berlin',
    state: 'Berlin',
    zip: '10115',
    country_code: 'DE',
    ...place,
  }
  return { code, label: `Depot ${code}`, address, ...fields }
}

export function metafield(key: string, fields: Body = {}): Body {
  return { namespace: 'shelf', key, value: 'A-12', permission_set: 'write', ...fields }
}

/** `count` copies, which differ by a number from 1. */
export function times<T>(count: number, make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_nothing, at) => make(at + 1))
}

export async function until(claim: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!(await claim())) {
    if (Date.now() > deadline) throw new Error('gave up after ten seconds')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

export async function ask(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Answer> {
  const isPlain = typeof body === 'string' || body instanceof FormData
  const sent = body === undefined ? {} : { body: isPlain ? body : JSON.stringify(body) }
  const json: Record<string, string> =
    body === undefined || body instanceof FormData ? {} : { 'Content-Type': 'application/json' }
  const answer = await fetch(url, { method, headers: { ...json, ...headers }, ...sent, ...(signal ? { signal } : {}) })
  const said = await answer.text()
  return { status: answer.status, headers: answer.headers, body: said === '' ? undefined : JSON.parse(said) }
}
