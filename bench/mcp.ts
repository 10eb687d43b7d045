import { type Asked, inTurns, type ReadingService, ratiosOf, withReadingService } from './parts/reading-service.ts'
import type { BenchResult } from './run.ts'

const CONNECTIONS = 16

/**
 * Tool calls as ratios to a bare Fastify route with one indexed SELECT: how much throughput is left once the token is
 * looked up with its client, grant, user, membership and organisation, the protocol message is read, a tool's operation
 * is performed, and its result is checked against its schema and written twice.
 */
export function bench(): Promise<BenchResult> {
  return withReadingService(measure)
}

async function measure(service: ReadingService): Promise<BenchResult> {
  const bare: Route = {
    name: 'bare route, one SELECT',
    url: `${service.bareUrl}${service.userPath}`,
    message: { headers: {} },
  }
  const run = { run_id: service.runs.indexed }
  const routes = [
    bare,
    call(service, { tool: 'whoami', revision: 'older revisions', atLeast: 0.33 }),
    call(service, { tool: 'whoami', revision: '2026-07-28', atLeast: 0.28 }),
    call(service, { tool: 'list_stores', revision: 'older revisions' }),
    call(service, { tool: 'list_stores', revision: '2026-07-28' }),
    call(service, { tool: 'get_run', revision: 'older revisions', given: run, atLeast: 0.13 }),
    call(service, { tool: 'list_runs', revision: 'older revisions', given: { limit: 20 }, atLeast: 0.04 }),
  ]
  for (const route of routes) await expectAnswer(route)
  const paces = await inTurns(routes, CONNECTIONS)
  const measured = routes.map((route) => {
    const pace = paces.get(route)
    return { ...route, perSecond: pace?.perSecond ?? 0, ...ratiosOf(pace, paces.get(bare)) }
  })
  return {
    rows: measured.map(({ name, perSecond, ratio, cpuRatio }) => ({
      route: name,
      'per second': Math.round(perSecond),
      ratio: ratio.toFixed(2),
      'in processor time': cpuRatio.toFixed(2),
    })),
    ratios: measured.flatMap(({ name, ratio, atLeast }) =>
      atLeast === undefined ? [] : [{ name, ratio, bound: { atLeast } }],
    ),
  }
}

interface Route extends Asked {
  name: string
  /** The ratio today, with some tolerance for the machine; without one it is only printed. */
  atLeast?: number | undefined
}

interface Call {
  tool: string
  revision: 'older revisions' | '2026-07-28'
  given?: object
  atLeast?: number
}

/** A `tools/call` in one of the two forms that the endpoint accepts. */
function call({ url, toolToken }: ReadingService, { tool, revision, given = {}, atLeast }: Call): Route {
  const modern = revision === '2026-07-28'
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  }
  const params = { name: tool, arguments: given, ...(modern && { _meta: meta }) }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const spoken = { 'MCP-Protocol-Version': revision, 'Mcp-Method': 'tools/call', 'Mcp-Name': tool }
  const headers = { Authorization: `Bearer ${toolToken}`, ...(modern && spoken) }
  return { name: `${tool}, ${revision}`, url: `${url}/mcp`, message: { headers, body }, atLeast }
}

/** A refusal would be faster than any result, so it must not be measured. */
async function expectAnswer({ name, url, message: { headers, body } }: Route): Promise<void> {
  const json = { 'content-type': 'application/json' }
  const answer = await fetch(url, { headers, ...(body && { method: 'POST', body, headers: { ...headers, ...json } }) })
  const said = await answer.text()
  if (!answer.ok || said.includes('"isError":true')) throw new Error(`${name} answered ${answer.status} ${said}`)
}
