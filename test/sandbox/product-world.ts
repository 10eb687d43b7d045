import type { SandboxStoreOptions } from '../../sandbox/admin/store-list.ts'
import type { SandboxStore } from '../../sandbox/store/store.ts'
import { aShop } from './a-shop.ts'

/** One sandbox store with helpers for product tests; it is closed after the test. */
export async function aProductWorld(options: Partial<SandboxStoreOptions> = {}) {
  const { store, call: callWithHeaders, aProduct, picture, aCategory, aBrand } = await aShop(options)
  const call = async (method: string, path: string, body?: unknown) => {
    const { status, body: answered } = await callWithHeaders(method, path, body)
    return { status, body: answered }
  }
  return {
    store,
    call,
    create: aProduct,
    get: (path: string) => call('GET', path),
    picture,
    aCategory,
    aBrand,
  }
}

/** Rows for tests of sizes, inserted directly into the table. */
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
