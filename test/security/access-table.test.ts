import { randomInt, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../sandbox/store/random.ts'
import { type Route, routes } from '../../src/api/routes.ts'
import {
  includesPermission,
  isOpenToBearerTokens,
  type OperationName,
  operationPermissions,
} from '../../src/contract/accounts/permissions.ts'
import { tools } from '../../src/mcp/registry.ts'
import type { Tool } from '../../src/mcp/tool.ts'
import { aService, type Service, siteUrl } from '../api/a-service.ts'
import { isLong } from '../harness/long-form.ts'
import { postMessage } from '../mcp/a-connection.ts'
import {
  type Holder,
  type HolderRole,
  type Holders,
  holderRoles,
  isMember,
  type StateName,
  startHolders,
  stateNames,
  stateOf,
  type TokenKind,
  tokenKinds,
} from './access-holder.ts'

/** STOREFERRY_SEED draws the same cells again. */
const seed = Number(process.env.STOREFERRY_SEED ?? randomInt(1_000_000))
/** Cells that each token of each drawn person and state tries in the default suite. */
const drawnCells = 36

let service: Service
let holders: Holders
let ends: Map<string, Record<TokenKind, string>>
beforeAll(async () => {
  service = await aService()
  holders = await startHolders(service)
  ends = await readWhatEndsWhat()
})
afterAll(() => service.close())

/** What of a row of docs/accounts.md, "What ends what", is about a kind of token. */
async function readWhatEndsWhat(): Promise<Map<string, Record<TokenKind, string>>> {
  const document = await readFile(new URL('../../docs/accounts.md', import.meta.url), 'utf8')
  const [, table = ''] = /<!-- what ends what[^\n]*\n([\s\S]*?)<!-- end -->/.exec(document) ?? []
  return new Map(
    table.split('\n').flatMap((line) => {
      const [, what = '', session = '', bearerToken = '', assistant = ''] = line.split('|').map((cell) => cell.trim())
      if (what === '' || what.startsWith('---')) return []
      const row = { session, 'API token': bearerToken, 'access token': assistant, 'client credentials': 'end' }
      return [[what, row] as const]
    }),
  )
}

/** One way to an operation. */
type Way =
  | { at: 'API'; route: Route; operation: OperationName }
  | { at: '/mcp'; tool: Tool; operation: OperationName; given: object }

interface Cell {
  way: Way
  role: HolderRole
  kind: TokenKind
  state: StateName
}

/**
 * `passes`: the permission is there, and the request fails at its input, or at what it asks for. `stranger`: not known, 401.
 * `forbidden`: known, and not allowed.
 */
type Outcome = 'passes' | 'stranger' | 'forbidden'

/**
 * The rule of the whole table: what the operation declares as its permission, who may have that, and what of the person's has ended.
 */
function expected({ way, role, kind, state }: Cell): Outcome {
  const permission = operationPermissions[way.operation]
  if (permission === 'public') return 'passes'
  const left = leftOf(role, kind, state)
  const worksHere: TokenKind[] = way.at === '/mcp' ? ['access token'] : ['session', 'API token']
  if (!worksHere.includes(kind) || left === 'nothing') return 'stranger'
  if (permission === 'signed-in') return kind === 'session' ? 'passes' : 'forbidden'
  if (permission === 'migrations.manage') return kind === 'session' && role === 'administrator' ? 'passes' : 'forbidden'
  if (left === 'person' || !isMember(role)) return 'forbidden'
  if (kind === 'API token' && !isOpenToBearerTokens(way.operation)) return 'forbidden'
  const present = stateOf(state).becomes?.(role) ?? role
  return includesPermission(present, permission) ? 'passes' : 'forbidden'
}

/** Whether a token still speaks for the member, only for the person, or for no one. */
function leftOf(role: HolderRole, kind: TokenKind, state: StateName): 'member' | 'person' | 'nothing' {
  if (kind === 'client credentials') return 'nothing'
  // Without a membership only the person is left, and only a session speaks for a person.
  if (!isMember(role) && kind !== 'session') return 'nothing'
  const { row, isOfPerson } = stateOf(state)
  if (row === null || !(isMember(role) || isOfPerson)) return 'member'
  const end = ends.get(row)?.[kind]
  if (end === undefined) throw new Error(`docs/accounts.md does not say what "${row}" ends.`)
  if (end === 'stay') return 'member'
  return end === 'end for the organisation' ? 'person' : 'nothing'
}

/** No operation has this key: a caller with permission is stopped at the input, and nothing is done. */
const noSuchKey = { 'no such key': '1' }

async function ask({ way, kind }: Cell, holder: Holder): Promise<Outcome | string> {
  const headers = { ...holder.headers[kind], origin: siteUrl }
  if (way.at === '/mcp') return askTool(way.tool, way.given, headers)
  const { method, path } = way.route
  const url = path.replaceAll(/:\w+/g, 'x')
  const reading = method === 'GET'
  const query = reading ? '?no%20such%20key=1' : ''
  const answer = await service.inject({ method, url: url + query, headers, ...(!reading && { payload: noSuchKey }) })
  const outcomes: Record<number, Outcome> = { 401: 'stranger', 403: 'forbidden', 422: 'passes' }
  return outcomes[answer.statusCode] ?? `${answer.statusCode} ${answer.body.slice(0, 200)}`
}

async function askTool(tool: Tool, given: object, headers: Record<string, string>): Promise<Outcome | string> {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool.name, arguments: given } }
  const answer = await postMessage(service, undefined, call, headers)
  if (answer.statusCode === 401) return 'stranger'
  const result = answer.statusCode === 200 ? answer.json().result : undefined
  if (!result) return `${answer.statusCode} ${answer.body.slice(0, 200)}`
  if (!result.isError) return 'passes'
  const { error } = JSON.parse(result.content[0].text)
  if (error === 'forbidden') return 'forbidden'
  // The tool's own schema accepted the arguments (`wayOf`), so it is an operation, past its permission, that refuses them.
  return ['not_found', 'validation_failed'].includes(error) ? 'passes' : `tool error ${error}`
}

/** Arguments that every tool accepts and that name nothing of the organisation, so that no store is asked. */
const absent: Record<string, unknown> = {
  ...{ store: 'absent', source_store: 'absent', destination_store: 'missing', storefront_id: '1' },
  ...{ run_id: randomUUID(), other_run_id: randomUUID(), issue_id: '1', phase: 'products' },
  ...{ entity: 'products', source_item_id: '1', item_id: '1' },
}

const usual: Record<string, string[]> = { get_catalog_item: ['item_id'], get_item_history: ['source_item_id'] }

async function wayOf(tool: Tool): Promise<Way> {
  const required = Object.entries(tool.input.shape).flatMap(([key, shape]) =>
    shape.safeParse(undefined).success ? [] : [key],
  )
  const names = [...required, ...(usual[tool.name] ?? [])]
  const given = Object.fromEntries(names.map((name) => [name, absent[name]]))
  return { at: '/mcp', tool, given, operation: await firstOperation(tool, given) }
}

class Stop extends Error {}

/** What a tool asks first; its own permission is that. */
async function firstOperation(tool: Tool, given: object): Promise<OperationName> {
  let asked: OperationName | undefined
  const member = { userId: '', organisationId: '', role: 'viewer' as const, userName: '', organisationName: '' }
  const context = {
    caller: { ...member, oauthClientId: '', scope: '', expiresAt: new Date() },
    read(operation: { name: OperationName }): never {
      asked ??= operation.name
      throw new Stop()
    },
    portalUrl: () => '',
  }
  // Parsed by the tool's own schema, as its caller would.
  await Promise.resolve()
    .then(() => tool.answer(tool.input.parse(given) as never, context))
    .catch((error: unknown) => {
      if (!(error instanceof Stop)) throw error
    })
  if (!asked) throw new Error(`${tool.name} asks no operation.`)
  return asked
}

async function allWays(): Promise<Way[]> {
  const overHttp = routes.map((route): Way => ({ at: 'API', route, operation: route.operation.name }))
  return [...overHttp, ...(await Promise.all(tools.map(wayOf)))]
}

interface Draw {
  role: HolderRole
  state: StateName
  waysOf(kind: TokenKind): readonly Way[]
}

/** All of it, or every role in its usual state and every other state with a drawn role, and of each some ways. */
function draws(ways: readonly Way[]): Draw[] {
  if (isLong) return stateNames.flatMap((state) => holderRoles.map((role) => ({ role, state, waysOf: () => ways })))
  const next = seededRandom(seed)
  const pick = <One>(all: readonly One[]) => all[Math.floor(next() * all.length)] as One
  const drawn = () => Array.from({ length: drawnCells }, () => pick(ways))
  const usual = holderRoles.map((role) => ({ role, state: 'live' as const, waysOf: drawn }))
  const others = stateNames.filter((state) => state !== 'live')
  return [...usual, ...others.map((state) => ({ role: pick(holderRoles), state, waysOf: drawn }))]
}

const nameOf = (way: Way) => (way.at === '/mcp' ? `/mcp ${way.tool.name}` : `${way.route.method} ${way.route.path}`)

test('S4, S6, S18, S31: every operation answers every role, token and state as its permission and docs/accounts.md say', async () => {
  const ways = await allWays()
  const unexpected: string[] = []
  const seen: Record<string, number> = {}
  for (const { role, state, waysOf } of draws(ways)) {
    const holder = await holders.aHolder(role)
    // A token of the very moment in which the password changes does not count as older.
    service.clock.jumpSeconds(1)
    await stateOf(state).act(holder, service)
    for (const kind of tokenKinds) {
      for (const way of waysOf(kind)) {
        const cell = { way, role, kind, state }
        const [outcome, due] = [await ask(cell, holder), expected(cell)]
        seen[due] = (seen[due] ?? 0) + 1
        if (outcome !== due) unexpected.push(`${nameOf(way)}: ${role}, ${kind}, ${state}: ${outcome}, not ${due}`)
      }
    }
  }
  if (isLong) console.log(`Access table: ${JSON.stringify(seen)}`)
  expect(unexpected.slice(0, 50), `STOREFERRY_SEED=${seed}`).toEqual([])
  expect(Object.keys(seen).sort()).toEqual(['forbidden', 'passes', 'stranger'])
})

test('S18: what neither the API nor a tool offers are the pages of sign-in, of links and of the app', async () => {
  const offered = new Set((await allWays()).map(({ operation }) => operation))
  const others = Object.keys(operationPermissions).filter((name) => !offered.has(name as OperationName))
  expect(others.toSorted()).toEqual([
    'accept-invitation',
    'claim-first-administrator',
    'claim-store',
    'describe-installation',
    'describe-invitation',
    'install-app',
    'load-app',
    'mail-reset-link',
    'remove-app-user',
    'reset-password',
    'sign-in',
    'sign-in-with-code',
    'uninstall-app',
  ])
})
