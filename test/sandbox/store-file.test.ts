import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import type { SandboxStoreOptions } from '../../sandbox/admin/store-list.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/start.ts'

const ADMIN = 'admin-token'
const PRODUCTS = '/v3/catalog/products?include=variants,images,custom_fields'

const running: Sandbox[] = []
const folders: string[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.close()))
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })))
})

/** A source with a dozen products and an empty destination. */
async function aPair(options: Partial<SandboxOptions> = {}) {
  const stores: SandboxStoreOptions[] = [
    { name: 'source', seed: 'tiny' },
    { name: 'destination', seed: 'empty' },
  ]
  const sandbox = await startSandbox({ stores, adminToken: ADMIN, ...options })
  running.push(sandbox)
  // biome-ignore lint/suspicious/noExplicitAny: a test reads into answers of every shape
  const call = async (store: string, method: string, path: string, body?: unknown): Promise<any> => {
    const { url = '', token = '' } = sandbox.stores[store] ?? {}
    const headers = { 'X-Auth-Token': token, 'Content-Type': 'application/json' }
    return (await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) })).json()
  }
  return {
    sandbox,
    call,
    /** What a client can read, regardless of the store. */
    seen: async (store: string) =>
      JSON.stringify(await call(store, 'GET', PRODUCTS)).replaceAll(`${sandbox.stores[store]?.url}/images`, ''),
    file: (store = 'source') => exported(sandbox, store),
    admin: async (store: string, method: string, action: string, body?: string, type = 'application/x-ndjson') => {
      const headers = { 'X-Sandbox-Admin': ADMIN, 'Content-Type': type }
      const answer = await fetch(`${sandbox.url}/__sandbox/stores/${store}/${action}`, { method, headers, body })
      return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
    },
  }
}

async function exported(sandbox: Sandbox, store: string): Promise<string> {
  const parts: Buffer[] = []
  const collect = new Writable({
    write(chunk, _encoding, next) {
      parts.push(chunk)
      next()
    },
  })
  await sandbox.exportStore(store, collect)
  return Buffer.concat(parts).toString('utf8')
}

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-store-file-'))
  folders.push(folder)
  return folder
}

test('an exported and imported store answers as before, and continues with its ids', async () => {
  const { sandbox, call, seen, admin } = await aPair()
  const { text, type, status } = await admin('source', 'GET', 'export')
  expect({ type, status }).toEqual({ type: 'application/x-ndjson', status: 200 })
  expect(await admin('destination', 'POST', 'import', text)).toMatchObject({ status: 200, text: '{}' })
  expect(await seen('destination')).toBe(await seen('source'))
  const [one, other] = await Promise.all(
    ['source', 'destination'].map(
      async (store) => (await call(store, 'POST', '/v3/catalog/brands', { name: 'New' })).data.id,
    ),
  )
  expect(other).toBe(one)
  const image = sandbox.store('destination').table('images').find({})[0]?.image_file
  expect((await fetch(`${sandbox.stores.destination?.url}/images/${image}`)).status).toBe(200)
})

test('the first line has the format and the tables, every other line is one row; tokens are not included', async () => {
  const { sandbox, file } = await aPair()
  const text = await file()
  const [header, ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(header).toMatchObject({ format: 'sandbox-store', version: 1, store: { name: 'source' }, seed: 'tiny' })
  const [brand] = sandbox.store('source').table('brands').find({})
  expect(rows).toContainEqual({ table: 'brands', row: brand })
  expect(rows).toHaveLength(header.tables.reduce((sum: number, table: { rows: number }) => sum + table.rows, 0))
  expect(text).not.toContain(sandbox.stores.source?.token)
})

test('texts with unusual line separators are kept, and so is an uploaded picture', async () => {
  const { sandbox, file } = await aPair()
  const source = sandbox.store('source')
  const { id } = source.table('brands').insert({ name: 'One\u2028Two\u2029Three\r\n€ 𝒳' })
  const bytes = Buffer.alloc(300_000, 7).toString('base64')
  const upload = source.table('uploads', ['file']).insert({ file: 'u/photo.png', bytes })
  await sandbox.importStore('destination', chunksOf(Buffer.from(await file()), 1_001))
  const destination = sandbox.store('destination')
  expect(destination.table('brands').get(id)).toEqual(source.table('brands').get(id))
  expect(destination.table('uploads').find({ file: 'u/photo.png' })).toEqual([upload])
})

/** Chunks may be cut anywhere, also inside a character. */
async function* chunksOf(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('an import into a store with content is refused and changes nothing', async () => {
  const { call, seen, admin, file } = await aPair()
  await call('destination', 'POST', '/v3/catalog/brands', { name: 'Mine' })
  const before = await seen('destination')
  const { status, text } = await admin('destination', 'POST', 'import', await file())
  expect({ status, text }).toEqual({
    status: 409,
    text: '{"error":"Store destination is not empty: it has brands already. Give an empty store"}',
  })
  expect(await seen('destination')).toBe(before)
  expect((await call('destination', 'GET', '/v3/catalog/brands')).data).toHaveLength(1)
})

test.each([
  ['a line that is no JSON', (lines: string[]) => lines.with(4, '{"table":'), 'Line 5 is not a JSON object'],
  [
    'a row of no known table',
    (lines: string[]) => lines.with(2, '{"table":"x","row":{"id":1}}'),
    'Line 3: "x" is not a table',
  ],
  ['a row without an id', (lines: string[]) => lines.with(3, '{"table":"brands","row":{}}'), 'Line 4: expected a row'],
  ['a row that comes twice', (lines: string[]) => lines.toSpliced(8, 0, lines[7] ?? ''), 'Line 9: '],
  ['a first line that is no header', (lines: string[]) => lines.slice(1), 'Line 1: expected a header'],
  [
    'a header of a later version',
    (lines: string[]) => lines.with(0, '{"format":"sandbox-store","version":2}'),
    'version 1',
  ],
  ['an end that is missing', (lines: string[]) => lines.slice(0, -2), 'The file ends early'],
  ['nothing at all', () => [], 'The file is empty'],
])('%s is reported with its line, and nothing of the file is kept', async (_what, spoil, message) => {
  const { sandbox, file, admin } = await aPair()
  const lines = (await file()).trimEnd().split('\n')
  const { status, text } = await admin('destination', 'POST', 'import', spoil(lines).join('\n'))
  expect({ status, error: JSON.parse(text).error }).toEqual({ status: 400, error: expect.stringContaining(message) })
  expect(sandbox.store('destination').table('products').count()).toBe(0)
  await sandbox.importStore('destination', chunksOf(Buffer.from(`${lines.join('\n')}\n`), 4_096))
  expect(sandbox.store('destination').table('products').count()).toBe(12)
})

test('writes made during an export are not in the file', async () => {
  for (const dataDirectory of [undefined, await aFolder()]) {
    const { sandbox } = await aPair({ dataDirectory })
    const source = sandbox.store('source')
    const big = source.table('things').insert({ text: 'x'.repeat(600_000) })
    let text = ''
    const slow = new Writable({
      write(chunk, _encoding, next) {
        if (text === '') source.table('variants').insert({ product_id: 1, sku: 'late' })
        text += chunk
        next()
      },
    })
    await sandbox.exportStore('source', slow)
    expect(text).toContain(`"id":${big.id}`)
    expect(text).not.toContain('"sku":"late"')
    expect(source.table('variants').find({ sku_key: 'late' })).toHaveLength(1)
  }
})

test('a clone has all content but is another store with its own token', async () => {
  for (const dataDirectory of [undefined, await aFolder()]) {
    const { sandbox, call, seen, admin } = await aPair({ dataDirectory })
    const [product] = sandbox.store('source').table('products').find({})
    const field = { namespace: 'n', key: 'k', value: 'v', permission_set: 'app_only' }
    await call('source', 'POST', `/v3/catalog/products/${product?.id}/metafields`, field)
    const answer = await admin('source', 'POST', 'clone', '{"to":"destination"}', 'application/json')
    expect(answer).toMatchObject({ status: 200, text: '{}' })
    expect(await seen('destination')).toBe(await seen('source'))
    const own = await call('destination', 'GET', `/v3/catalog/products/${product?.id}/metafields`)
    expect(own.data).toMatchObject([{ ...field, owner_client_id: 'clientdestination' }])
    await call('destination', 'DELETE', `/v3/catalog/products/${product?.id}`).catch(() => undefined)
    expect(sandbox.store('destination').table('products').count()).toBe(11)
    expect(sandbox.store('source').table('products').count()).toBe(12)
    expect((await admin('source', 'POST', 'clone', '{"to":"nobody"}')).status).toBe(404)
    await expect(sandbox.cloneStore('source', 'destination')).rejects.toThrow('not empty')
    if (dataDirectory) expect((await readdir(dataDirectory)).filter((name) => name.includes('.new'))).toEqual([])
  }
})

test('a clone in a data directory is still there after a restart', async () => {
  const dataDirectory = await aFolder()
  const first = await aPair({ dataDirectory })
  await first.sandbox.cloneStore('source', 'destination')
  const before = await first.seen('destination')
  await first.sandbox.close()
  running.splice(0)
  expect((await aPair({ dataDirectory })).sandbox.store('destination').table('products').count()).toBe(12)
  expect(before).toContain('variants')
})

test('a store can start from a file instead of a seed, and a data directory keeps its later changes', async () => {
  const { file, seen } = await aPair()
  const [folder, dataDirectory] = [await aFolder(), await aFolder()]
  const path = join(folder, 'shop.ndjson')
  await writeFile(path, await file())
  const stores = [{ name: 'source', file: path }]
  const copy = await aPair({ stores, dataDirectory })
  expect(await copy.seen('source')).toBe(await seen('source'))
  copy.sandbox.store('source').table('brands').insert({ name: 'Later' })
  await copy.sandbox.close()
  running.splice(running.indexOf(copy.sandbox), 1)
  expect((await aPair({ stores, dataDirectory })).sandbox.store('source').table('brands').count()).toBe(5)
})

test('an invalid store file keeps the sandbox from starting', async () => {
  const path = join(await aFolder(), 'shop.ndjson')
  await writeFile(path, 'hello\n')
  await expect(aPair({ stores: [{ name: 'source', file: path }] })).rejects.toThrow('Line 1 is not a JSON object')
})

test('export, import and clone require the admin token', async () => {
  const { sandbox, file } = await aPair()
  const text = await file()
  for (const [method, action, body] of [
    ['GET', 'export'],
    ['POST', 'import', text],
    ['POST', 'clone', '{}'],
  ] as const) {
    const url = `${sandbox.url}/__sandbox/stores/destination/${action}`
    expect((await fetch(url, { method, body, headers: { 'X-Sandbox-Admin': 'wrong' } })).status).toBe(401)
  }
  expect(sandbox.store('destination').table('products').count()).toBe(0)
})
