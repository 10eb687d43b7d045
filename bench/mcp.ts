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
 * A tool's answer as a ratio to a bare Fastify route that does one indexed SELECT: how much is left once a token has been looked up
 * with its client, grant, user, membership and organisation, a message of the protocol read, a tool's operation performed, its answer
 * held to its schema and written twice. Client, service and database are processes of their own.
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
  // Compiled code is what a service runs on: the first thousands of answers are several times as slow.
  for (const { url, message } of routes.slice(1))
    for (let answers = 0; answers < WARM_UP; ) answers += await answersPerSecond(url, message, 1, CONNECTIONS)
  const figures = new Map(routes.map((route) => [route, [] as number[]]))
  // In turns, so that whatever else the machine does meets all of them alike; the first round only warms up.
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
   * A tool for which the database is asked once, as for the bare route: who somebody is was read with the token. A page of stores is
   * printed only: it reads, cleans and checks ten of them.
   */
  isJudged: boolean
}

interface Started {
  url: string
  bareUrl: string
  token: string
}

/** `tools/call` of the two ways in which the endpoint is spoken to. */
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

/** Something refused would be answered faster than anything else. */
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
