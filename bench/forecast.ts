import { execFile } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { seededRandom } from '../sandbox/store/random.ts'
import type { Forecast, MigrationDetail } from '../src/contract/migration.ts'
import { freePort } from '../src/db/postgres/free-port.ts'
import { median } from './parts/load.ts'
import type { ShopShape } from './parts/plant-shop.ts'
import { ended, type Service, startService } from './parts/running-service.ts'
import { type RunningSandbox, sandboxProcess } from './parts/sandbox-process.ts'
import type { BenchResult } from './run.ts'

const PLANTER = fileURLToPath(new URL('./parts/plant-shop.ts', import.meta.url))
const run = promisify(execFile)

/** The most that the median forecast may be wrong, in percent. */
const BOUND = 10

/**
 * Six migrations whose stores, latencies and quotas come from a seed that the service cannot see: compares the forecast
 * before the first write with the seconds that the run then worked. Three pairs are new to the service, three are known
 * from earlier runs. Quotas are scaled to windows of a few seconds, so that hours become seconds; the calls per window
 * and the latencies are realistic.
 *
 * `STOREFERRY_BENCH_SEED` repeats a run.
 */
export async function bench(): Promise<BenchResult> {
  const seed = Number(process.env.STOREFERRY_BENCH_SEED ?? randomInt(1_000_000))
  const random = seededRandom(seed)
  const between = (least: number, most: number) => least + random() * (most - least)
  const directory = await mkdtemp(join(tmpdir(), 'storeferry-bench-'))
  await using ending = new AsyncDisposableStack()
  ending.defer(() => rm(directory, { recursive: true }))
  const port = await freePort()
  const service = await startService(directory, `http://127.0.0.1:${port}`)
  ending.defer(() => service.stop())
  const measured: Measured[] = []
  const pairs: ((pair: Pair) => Promise<Measured[]>)[] = [
    async (pair) => [
      await pair.measure('copy into an empty store, new pair', {}),
      await editProducts(pair, between(0.1, 0.3), random).then(() =>
        pair.measure('update after edits, known pair', { conflictStrategy: 'update' }),
      ),
    ],
    async (pair) => [
      await pair.measure('copy beside others, new pair', {}),
      await pair.measure('verify, known pair', { mode: 'verify' }),
    ],
    async (pair) => [
      await pair.measure('copy of another shop, new pair', {}),
      await deleteProducts(pair, between(0.05, 0.12), random).then(() =>
        pair.measure('replace after copies were deleted, known pair', { conflictStrategy: 'replace' }),
      ),
    ],
  ]
  for (const [at, scenario] of pairs.entries()) {
    const conditions: Conditions = {
      latencyMs: { read: between(80, 250), write: between(80, 400), heavy: between(200, 800) },
      quota: { requests: Math.round(between(60, 140)), windowMs: Math.round(between(2_000, 4_000)) },
    }
    const source: ShopShape = {
      seed: Math.floor(random() * 2 ** 31),
      categories: Math.round(between(5, 40)),
      brands: Math.round(between(5, 80)),
      products: Math.round(between(250, 450)),
      withOptions: between(0.05, 0.5),
      withModifiers: between(0, 0.3),
      withImages: between(0.2, 1),
      withMetafields: between(0, 0.4),
    }
    // For one pair, some of the source's products already exist at the destination under the same names.
    const standing =
      at === 1 ? { ...source, products: Math.round(source.products * between(0.1, 0.4)), brands: 3 } : null
    await using pair = await openPair(service, { directory, port, at, conditions, source, standing })
    measured.push(...(await scenario(pair)))
  }
  const errors = measured.map(({ predicted, worked }) => Math.abs(predicted / worked - 1) * 100)
  return {
    rows: measured.map((one, at) => ({
      seed,
      scenario: one.name,
      'predicted s': one.predicted,
      'worked s': one.worked.toFixed(1),
      'error %': (errors[at] ?? 0).toFixed(1),
      'calls predicted/made': one.calls,
    })),
    ratios: [{ name: 'median error of the forecasts in percent', ratio: median(errors), bound: { atMost: BOUND } }],
  }
}

interface Measured {
  name: string
  predicted: number
  worked: number
  /** Predicted and actual calls, by store and kind of call. */
  calls: string
}

interface Conditions {
  latencyMs: { read: number; write: number; heavy: number }
  quota: { requests: number; windowMs: number }
}

interface Pair extends AsyncDisposable {
  destinationUrl: string
  destinationToken: string
  sandboxUrl: string
  adminToken: string
  sourceHash: string
  measure(name: string, body: object): Promise<Measured>
}

interface PairWish {
  directory: string
  port: number
  at: number
  conditions: Conditions
  source: ShopShape
  standing: ShopShape | null
}

async function openPair(service: Service, wish: PairWish): Promise<Pair> {
  const { directory, port, at, conditions } = wish
  const dataDirectory = join(directory, `stores${at}`)
  const adminToken = randomBytes(16).toString('hex')
  const [source, destination] = [`source${at}`, `destination${at}`]
  await plant(dataDirectory, source, wish.source)
  if (wish.standing) await plant(dataDirectory, destination, wish.standing)
  const stores = [source, destination].map((hash) => ({ name: hash, hash, seed: 'empty' as const }))
  const sandbox = await sandboxProcess({ port, stores, dataDirectory, adminToken, ...conditions })
  const { organisation } = service
  const tokenOf = (hash: string) => sandbox.stores[hash]?.token ?? ''
  for (const hash of [source, destination])
    await service.app.administration.connectStore({ organisation, hash, token: tokenOf(hash), label: hash })
  return {
    destinationUrl: sandbox.stores[destination]?.url ?? '',
    destinationToken: tokenOf(destination),
    sandboxUrl: sandbox.url,
    adminToken,
    sourceHash: source,
    measure: (name, body) => measure(service, sandbox, adminToken, name, { source, destination, ...body }),
    [Symbol.asyncDispose]: () => sandbox.stop(),
  }
}

async function plant(dataDirectory: string, hash: string, shape: ShopShape): Promise<void> {
  await mkdir(dataDirectory, { recursive: true })
  await run(process.execPath, [PLANTER, join(dataDirectory, `${hash}.sqlite`), hash, JSON.stringify(shape)])
}

async function measure(
  { api, app, organisationId }: Service,
  sandbox: RunningSandbox,
  adminToken: string,
  name: string,
  body: { source: string; destination: string },
): Promise<Measured> {
  const admin = (path: string) => `${sandbox.url}/__sandbox/stores/${body.destination}${path}`
  const headers = { 'x-sandbox-admin': adminToken }
  await fetch(admin('/requests'), { method: 'DELETE', headers })
  const { requestId } = await api<MigrationDetail>('POST', '/v2/migrations', body)
  const detail = await ended(api, requestId)
  if (detail.status !== 'completed' && detail.status !== 'partial_completed')
    throw new Error(`${name} ended ${detail.status}: ${detail.summaryLine}`)
  const { forecast, timestamps } = detail
  if (!forecast || !timestamps.started) throw new Error(`${name} has no forecast`)
  const { requests } = (await (await fetch(admin('/requests'), { headers })).json()) as {
    requests: { at: string; method: string }[]
  }
  refuseLateForecast(name, forecast, requests)
  const calls = await app.callsOf(organisationId, requestId)
  const worked = (Date.parse(timestamps.updated) - Date.parse(timestamps.started)) / 1_000
  return {
    name,
    predicted: forecast.etaSeconds,
    worked,
    calls: calls
      .map((one) => `${one.side[0]} ${one.class} ${one.predicted}/${one.calls}`)
      .sort()
      .join(', '),
  }
}

/** A forecast made after the first write could already know the result. */
function refuseLateForecast(name: string, forecast: Forecast, requests: { at: string; method: string }[]): void {
  const first = requests.find(({ method }) => method !== 'GET')
  if (first && first.at < forecast.at)
    throw new Error(`${name} was forecast at ${forecast.at}, after the write of ${first.at}`)
}

/** Changes the price of some products without the service, as a merchant does between two runs. */
async function editProducts(pair: Pair, share: number, random: () => number): Promise<void> {
  const address = `${pair.sandboxUrl}/__sandbox/stores/${pair.sourceHash}/state`
  const headers = { 'x-sandbox-admin': pair.adminToken, 'content-type': 'application/json' }
  const state = (await (await fetch(address, { headers })).json()) as { products: { id: number }[] }
  // Later than the run that copied them, because the platform's times have whole seconds.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const date_modified = new Date().toISOString().replace(/\.\d+Z$/, '+00:00')
  for (const { id } of state.products) {
    if (random() >= share) continue
    const body = JSON.stringify({
      op: 'set',
      table: 'products',
      id,
      fields: { price: 1 + Math.floor(random() * 99), date_modified },
    })
    await fetch(address, { method: 'POST', headers, body })
  }
}

/** Deletes some of the copies at the destination, as a person might who does not know what they are. */
async function deleteProducts(pair: Pair, share: number, random: () => number): Promise<void> {
  const headers = { 'x-auth-token': pair.destinationToken }
  const ids: number[] = []
  for (let page = 1; ; page++) {
    const { data } = await ask<{ data: { id: number }[] }>(`/v3/catalog/products?limit=250&page=${page}`)
    if (data.length === 0) break
    ids.push(...data.map(({ id }) => id).filter(() => random() < share))
  }
  await ask(`/v3/catalog/products?id:in=${ids.join(',')}`, 'DELETE')

  async function ask<Body>(path: string, method = 'GET'): Promise<Body> {
    for (;;) {
      const answer = await fetch(`${pair.destinationUrl}${path}`, { method, headers })
      // The platform's responses, as its published files describe them.
      if (answer.ok) return (answer.status === 204 ? undefined : await answer.json()) as Body
      if (answer.status !== 429) throw new Error(`${method} ${path} answered ${answer.status}`)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
}
