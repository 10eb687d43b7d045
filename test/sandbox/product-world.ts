import { afterEach } from 'vitest'
import { insertBrand } from '../../sandbox/resources/brands.ts'
import { insertCategory } from '../../sandbox/resources/categories.ts'
import { type Sandbox, type SandboxStoreOptions, startSandbox } from '../../sandbox/start.ts'
import type { SandboxStore } from '../../sandbox/store.ts'
import { sentBody } from './picture-form.ts'

export const PRODUCTS = '/v3/catalog/products'

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads into answers of every shape
  body: any
}

type Body = Record<string, unknown>

const running: Sandbox[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.close()))
})

/** One sandbox store with what product tests need around it; it stops by itself after the test. */
export async function aProductWorld(options: Partial<SandboxStoreOptions> = {}) {
  const sandbox = await startSandbox({ stores: [{ name: 'shop', seed: 'empty', token: 'secret', ...options }] })
  running.push(sandbox)
  const store = sandbox.store('shop')
  const url = sandbox.stores.shop?.url ?? ''
  const call = (method: string, path: string, body?: unknown) => ask(`${url}${path}`, method, body)
  const create = async (fields: Body = {}) => (await call('POST', PRODUCTS, product(fields))).body.data
  return {
    store,
    call,
    create,
    get: (path: string) => call('GET', path),
    /** Address of a picture that can be fetched. */
    picture: (file: string) => `${store.imageBase}/${file}`,
    aCategory: (name: string) => aCategory(store, name),
    aBrand: (name: string) => insertBrand(store, { name }).id,
  }
}

/** The least that the platform takes, plus what the test is about. */
export function product(fields: Body = {}): Body {
  return { name: 'Linen Shirt', type: 'physical', weight: 0.4, price: 49, ...fields }
}

export function variant(sku: string, choices: Record<string, string>, fields: Body = {}): Body {
  const option_values = Object.entries(choices).map(([option_display_name, label]) => ({ option_display_name, label }))
  return { sku, option_values, ...fields }
}

function aCategory(store: SandboxStore, name: string): number {
  const treeId = store.table('category_trees').find({})[0]?.id ?? 0
  return insertCategory(store, { treeId, parentId: 0 }, { name }).id
}

async function ask(url: string, method: string, body: unknown): Promise<Answer> {
  const sent = sentBody(body)
  const answer = await fetch(url, { ...sent, method, headers: { 'X-Auth-Token': 'secret', ...sent.headers } })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** Rows for tests about sizes, put straight into the table. */
export function manyProducts(store: SandboxStore, count: number): number[] {
  return store.transaction(() =>
    Array.from(
      { length: count },
      (_nothing, at) =>
        store
          .table('products')
          .insert({ name: `Shirt ${at}`, sku: `S-${at}`, price: at, weight: 1, base_variant_id: null }).id,
    ),
  )
}
