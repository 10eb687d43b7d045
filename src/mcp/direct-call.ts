import type { IncomingHttpHeaders } from 'node:http'
import type { CallToolResult, Implementation } from '@modelcontextprotocol/server'

/** A `tools/call` without unusual fields. */
export interface DirectCall {
  id: string | number
  name: string
  given: unknown
  /** Revision 2026-07-28, whose results have more fields. */
  modern: boolean
}

const olderRevisions = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])
const newRevision = '2026-07-28'
const metaNames = ['protocolVersion', 'clientCapabilities', 'clientInfo'].map(
  (name) => `io.modelcontextprotocol/${name}`,
)

/**
 * The fast path for the most frequent message. The SDK's server, transport and web request take longer than most tools,
 * so an ordinary `tools/call` skips them. The SDK handles anything unusual.
 */
export function readDirectCall(headers: IncomingHttpHeaders, body: unknown): DirectCall | undefined {
  if (!isObject(body, ['jsonrpc', 'id', 'method', 'params'])) return undefined
  const { jsonrpc, id, method, params } = body
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isId(id)) return undefined
  if (!isObject(params, ['name', 'arguments', '_meta'])) return undefined
  const { name, arguments: given, _meta: meta } = params
  if (typeof name !== 'string' || (given !== undefined && !isObject(given))) return undefined
  const version = headers['mcp-protocol-version']
  if (meta !== undefined) return isNew(headers, name, meta) ? { id, name, given, modern: true } : undefined
  if (version !== undefined && !olderRevisions.has(String(version))) return undefined
  return { id, name, given, modern: false }
}

/** The response as the SDK would write it. */
export function answerTo({ id, modern }: DirectCall, result: CallToolResult, serverInfo: Implementation): object {
  const answered = { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } }
  return { jsonrpc: '2.0', id, result: modern ? { ...result, ...answered } : result }
}

/** Source: revision 2026-07-28, Streamable HTTP: the headers repeat parts of the body. */
function isNew(headers: IncomingHttpHeaders, name: string, meta: unknown): boolean {
  if (!isObject(meta, metaNames)) return false
  const [version, capabilities, client] = metaNames.map((one) => meta[one])
  return (
    version === newRevision &&
    isObject(capabilities, []) &&
    isObject(client, ['name', 'version']) &&
    typeof client.name === 'string' &&
    typeof client.version === 'string' &&
    headers['mcp-protocol-version'] === newRevision &&
    headers['mcp-method'] === 'tools/call' &&
    headers['mcp-name'] === name
  )
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

/** @param names if given, the only keys allowed */
function isObject(value: unknown, names?: string[]): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return names === undefined || Object.keys(value).every((name) => names.includes(name))
}
