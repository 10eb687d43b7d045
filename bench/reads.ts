import { type Asked, inTurns, type ReadingService, ratiosOf, withReadingService } from './parts/reading-service.ts'
import type { BenchResult } from './run.ts'

const CONNECTIONS = 10

/**
 * The API's reads as ratios to a bare Fastify route: a migration that has ended, one that goes on, a page of the history and
 * one of issues. The bare route verifies the same token, counts the same rate limit and sends a JSON of the same size by one
 * SELECT.
 */
export function bench(): Promise<BenchResult> {
  return withReadingService(measure)
}

interface Read {
  name: string
  path: string
  /** The path at which the bare route has a JSON of this size. */
  like: string
  source?: 'sqlite' | 'postgres' | 'engine'
  /** The ratio today, with some tolerance for the machine; docs/benchmarks.md has the goals. */
  atLeast: number
}

function readsOf({ runs: { indexed, unindexed, live } }: ReadingService): Read[] {
  const like = `/v2/migrations/${unindexed}`
  const [history, issues] = ['/v2/migrations?limit=50', `/v2/migrations/${unindexed}/issues?limit=50`]
  return [
    { name: 'ended, from the index', path: `/v2/migrations/${indexed}`, like, source: 'sqlite', atLeast: 0.5 },
    { name: 'ended, from PostgreSQL', path: like, like, source: 'postgres', atLeast: 0.48 },
    { name: 'paused', path: `/v2/migrations/${live}`, like, source: 'engine', atLeast: 0.24 },
    { name: 'history, 50 entries', path: history, like: history, atLeast: 0.2 },
    { name: 'issues, 50', path: issues, like: issues, atLeast: 0.25 },
  ]
}

async function measure(service: ReadingService): Promise<BenchResult> {
  const message = { headers: { Authorization: `Bearer ${service.token}` } }
  const bare = new Map<string, Asked>()
  const pairs: { read: Read; ours: Asked; plain: Asked; bytes: number }[] = []
  for (const read of readsOf(service)) {
    const plain = bare.get(read.like) ?? { url: `${service.bareUrl}${read.like}`, message }
    bare.set(read.like, plain)
    pairs.push({
      ...{ read, plain, ours: { url: `${service.url}${read.path}`, message } },
      bytes: await expectAnswer(service, read),
    })
  }
  const paces = await inTurns([...pairs.map(({ ours }) => ours), ...bare.values()], CONNECTIONS)
  const measured = pairs.map(({ read, ours, plain, bytes }) => {
    const [of, base] = [paces.get(ours), paces.get(plain)]
    return { read, bytes, of, base, ...ratiosOf(of, base) }
  })
  return {
    rows: measured.map(({ read, bytes, of, base, ratio, cpuRatio }) => ({
      read: read.name,
      kB: (bytes / 1000).toFixed(1),
      'per second': Math.round(of?.perSecond ?? 0),
      'bare route': Math.round(base?.perSecond ?? 0),
      ratio: ratio.toFixed(2),
      'in processor time': cpuRatio.toFixed(2),
    })),
    ratios: measured.map(({ read: { name, atLeast }, ratio }) => ({
      name: `${name}, to a bare route`,
      ratio,
      bound: { atLeast },
    })),
  }
}

/** A refusal would be faster than any answer. @returns the bytes of the answer */
async function expectAnswer(service: ReadingService, { name, path, like, source }: Read): Promise<number> {
  const [ours, bare] = await Promise.all([ask(`${service.url}${path}`), ask(`${service.bareUrl}${like}`)])
  if (ours.source !== source) throw new Error(`${name} came from ${ours.source}`)
  if (Math.abs(ours.bytes / bare.bytes - 1) > 0.1)
    throw new Error(`${name}: ${ours.bytes} bytes, the bare route ${bare.bytes}`)
  return ours.bytes

  async function ask(address: string) {
    const answer = await fetch(address, { headers: { authorization: `Bearer ${service.token}` } })
    if (!answer.ok) throw new Error(`${name}: ${address} answered ${answer.status}`)
    const { byteLength: bytes } = await answer.arrayBuffer()
    return { bytes, source: answer.headers.get('x-read-source') ?? undefined }
  }
}
