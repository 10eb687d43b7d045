import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../src/clock.ts'
import { startEmbeddedPostgres } from '../src/db/postgres/embedded-postgres.ts'
import { removeEmbeddedPostgres } from '../src/db/postgres/remove-embedded-postgres.ts'
import { createLog } from '../src/log.ts'
import { answersPerSecond, type Message, median } from './parts/load.ts'
import type { BenchResult } from './run.ts'

const SERVICE = fileURLToPath(new URL('./parts/tool-service.ts', import.meta.url))
const ROUNDS = 9
const ROUND_SECONDS = 1
const WARM_UP = 3_000
const CONNECTIONS = 16

/**
 * A tool call as a ratio to a bare Fastify route with one indexed SELECT: how much throughput is left once the token is
 * looked up with its client, grant, user, membership and organisation, the protocol message is read, a tool's operation
 * is performed, and its result is checked against its schema and written twice. Client, service and database are
 * separate processes.
 */
export async function bench(): Promise<BenchResult> {
  const directory = await mkdtemp(join(tmpdir(), 'storeferry-bench-'))
  await using ending = new AsyncDisposableStack()
  ending.defer(() => rm(directory, { recursive: true }))
  const log = createLog({ level: 'warn', role: 'bench', destination: process.stderr })
  const dataDirectory = join(directory, 'service')
  const postgres = await startEmbeddedPostgres({ dataDirectory, log, clock: systemClock })
  ending.defer(async () => {
    await postgres.stop()
    await removeEmbeddedPostgres(dataDirectory)
  })
  const service = await startService(await postgres.url('postgres'))
  ending.defer(() => service.stop())
  const routes: Route[] = [
    { name: 'bare route, one SELECT', url: service.bareUrl, message: { headers: {} }, isJudged: false },
    call('whoami', 'older revisions', service),
    call('whoami', '2026-07-28', service),
    call('list_stores', 'older revisions', service),
    call('list_stores', '2026-07-28', service),
  ]
  for (const route of routes) await expectAnswer(route)
  // A running service has compiled code: the first thousands of responses are several times slower.
  for (const { url, message } of routes.slice(1))
    for (let answers = 0; answers < WARM_UP; ) answers += await answersPerSecond(url, message, 1, CONNECTIONS)
  const figures = new Map(routes.map((route) => [route, [] as number[]]))
  // In turns, so that other load on the machine affects all of them equally; the first round only warms up.
  for (let round = 0; round <= ROUNDS; round++)
    for (const [{ url, message }, taken] of figures) {
      const perSecond = await answersPerSecond(url, message, ROUND_SECONDS, CONNECTIONS)
      if (round > 0) taken.push(perSecond)
    }
  const measured = routes.map((route) => ({ ...route, perSecond: median(figures.get(route) ?? []) }))
  const base = measured[0]?.perSecond ?? Number.NaN
  return {
    rows: measured.map(({ name, perSecond }) => ({
      route: name,
      'per second': Math.round(perSecond),
      ratio: (perSecond / base).toFixed(2),
    })),
    ratios: measured
      .filter(({ isJudged }) => isJudged)
      .map(({ name, perSecond }) => ({ name, ratio: perSecond / base, bound: { atLeast: 0.25 } })),
  }
}

interface Route {
  name: string
  url: string
  message: Message
  /**
   * A tool with one database query, like the bare route: the user's data was read with the token. A page of stores is
   * only printed: it reads, cleans and checks ten of them.
   */
  isJudged: boolean
}

interface Started {
  url: string
  bareUrl: string
  token: string
}

/** A `tools/call` in each of the two forms that the endpoint accepts. */
function call(name: string, revision: 'older revisions' | '2026-07-28', { url, token }: Started): Route {
  const modern = revision === '2026-07-28'
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  }
  const params = { name, arguments: {}, ...(modern && { _meta: meta }) }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const spoken = { 'MCP-Protocol-Version': revision, 'Mcp-Method': 'tools/call', 'Mcp-Name': name }
  const headers = { Authorization: `Bearer ${token}`, ...(modern && spoken) }
  return { name: `${name}, ${revision}`, url, message: { headers, body }, isJudged: name === 'whoami' }
}

/** A refusal would be faster than any result, so it must not be measured. */
async function expectAnswer({ name, url, message: { headers, body } }: Route): Promise<void> {
  const json = { 'content-type': 'application/json' }
  const answer = await fetch(url, { headers, ...(body && { method: 'POST', body, headers: { ...headers, ...json } }) })
  const said = await answer.text()
  if (!answer.ok || said.includes('"isError":true')) throw new Error(`${name} answered ${answer.status} ${said}`)
}

async function startService(databaseUrl: string): Promise<Started & { stop(): Promise<void> }> {
  const child = spawn(process.execPath, [SERVICE, databaseUrl], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const ready = once(createInterface({ input: child.stdout }), 'line')
  const first = await Promise.race([ready, ended.then(() => undefined)])
  if (!first) throw new Error('The service ended before it was ready')
  return {
    ...(JSON.parse(String(first[0])) as Started),
    stop: async () => {
      child.kill()
      await ended
    },
  }
}
