import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median } from './parts/load.ts'
import { sandboxProcess } from './parts/sandbox-process.ts'
import type { BenchResult } from './run.ts'

const LOADER = fileURLToPath(new URL('./parts/load-products.ts', import.meta.url))
const run = promisify(execFile)

const SMALL = 10_000
const LARGE = 1_000_000
const ROUNDS = 31

/** The queries whose cost must not grow with the store, and others that are only printed. */
const JUDGED = [
  ['page 1', 'limit=250&page=1'],
  ['page 1 with variants', 'limit=250&page=1&include=variants'],
  ['by id', 'limit=250&id:greater={id}'],
  ['by id with variants', 'limit=250&id:greater={id}&include=variants'],
] as const
const PRINTED = [
  ['last page', 'limit=250&page={pages}'],
  ['sort by name', 'limit=250&sort=name&direction=desc'],
  ['of one category', 'limit=250&categories:in=7'],
  ['of the only channel', 'limit=250&channel_id:in=1'],
  ['visible', 'limit=250&is_visible=true'],
  ['modified since', 'limit=250&date_modified:min=2020-01-05T00:00:00Z'],
] as const

/**
 * A million products: the memory for loading them, and a page of them compared with a page of ten thousand, measured in
 * turns in the same process. Takes several minutes and some gigabytes of disk.
 */
export async function bench(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-million-'))
  try {
    const [small, large] = [await load(folder, 'small', SMALL), await load(folder, 'large', LARGE)]
    const pages = await pagesOf(folder)
    return {
      rows: [small.row, large.row, ...pages.map(({ name, smallMs, largeMs }) => rowOf(name, smallMs, largeMs))],
      ratios: [
        { name: 'memory while loading, in GiB', ratio: large.peakMiB / 1_024, bound: { atMost: 1 } },
        ...pages
          .filter(({ name }) => JUDGED.some(([judged]) => judged === name))
          .map(({ name, smallMs, largeMs }) => ({ name, ratio: largeMs / smallMs, bound: { atMost: 1.5 } })),
      ],
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function load(folder: string, name: string, count: number) {
  const file = join(folder, `${name}.sqlite`)
  const { stdout } = await run(process.execPath, [LOADER, file, name, String(count)])
  const { rows, seconds, peakMiB }: { rows: number; seconds: number; peakMiB: number } = JSON.parse(stdout)
  const fileMiB = Math.round((await stat(file)).size / 1_048_576)
  const perSecond = Math.round(rows / seconds)
  const row = { what: `load ${count} products`, 'rows per second': perSecond, 'peak MiB': Math.round(peakMiB), fileMiB }
  return { peakMiB, row }
}

function rowOf(name: string, smallMs: number, largeMs: number) {
  return {
    what: name,
    '10k ms': smallMs.toFixed(1),
    '1M ms': largeMs.toFixed(1),
    ratio: (largeMs / smallMs).toFixed(2),
  }
}

interface Measured {
  name: string
  smallMs: number
  largeMs: number
}

async function pagesOf(dataDirectory: string): Promise<Measured[]> {
  const stores = ['small', 'large'].map((name) => ({ name, seed: 'empty' as const }))
  const sandbox = await sandboxProcess({ stores, dataDirectory })
  try {
    const { small, large } = sandbox.stores
    if (!small || !large) throw new Error('The stores are not there')
    const measured: Measured[] = []
    for (const [name, query] of [...JUDGED, ...PRINTED]) {
      const taken = { small: [] as number[], large: [] as number[] }
      for (let round = -3; round < ROUNDS; round++) {
        const smallMs = await msOf(small, fill(query, SMALL, round))
        const largeMs = await msOf(large, fill(query, LARGE, round))
        if (round < 0) continue
        taken.small.push(smallMs)
        taken.large.push(largeMs)
      }
      measured.push({ name, smallMs: median(taken.small), largeMs: median(taken.large) })
    }
    return measured
  } finally {
    await sandbox.stop()
  }
}

/** Walks by id from the middle of the list, like a client that has already read the first half. */
function fill(query: string, products: number, round: number): string {
  return query
    .replace('{id}', String(Math.floor(products / 2) + (round + 3) * 100))
    .replace('{pages}', String(products / 250))
}

async function msOf({ url, token }: { url: string; token: string }, query: string): Promise<number> {
  const startedMs = performance.now()
  const answer = await fetch(`${url}/v3/catalog/products?${query}`, { headers: { 'X-Auth-Token': token } })
  const { data } = (await answer.json()) as { data?: unknown[] }
  const tookMs = performance.now() - startedMs
  if (!data || data.length === 0) throw new Error(`${query} answered ${answer.status} with no product`)
  return tookMs
}
