import { lookup } from 'node:dns/promises'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import { Client } from 'undici'
import type { Clock } from './clock.ts'

export interface OutboundRequest {
  url: string
  method?: 'GET' | 'HEAD'
  /** A longer answer is refused. */
  maxBytes: number
  /** For everything together: looking up, connecting, redirects, the last byte. */
  timeoutMs: number
  /** Redirects that are followed, each checked like the first address; at most 3. None when absent. */
  redirects?: number
  signal?: AbortSignal
}

export interface OutboundAnswer {
  httpStatus: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: Buffer
}

/** Asks any address but a store's API. Without credentials, always. */
export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>

/** Addresses of a host, in the order to try. */
export type Resolve = (hostname: string) => Promise<string[]>

export interface OutboundOptions {
  clock: Clock
  /** This machine may be asked, by http and on any port: for when the platform itself is a sandbox on it, and never else. */
  allowLoopback: boolean
  resolve?: Resolve
}

/** The address must not be asked, or its answer must not be read. The message names what is wrong and never the answer. */
export class OutboundRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OutboundRefused'
  }
}

const mostRedirects = 3

/** Source: the IANA registries of special-purpose addresses. What is not listed here is public. */
const specialV4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
])
/** Only this is given out as global unicast: mapped, translated, local and multicast addresses are all outside of it. */
const globalV6 = blockList('ipv6', [['2000::', 3]])
/** Inside of it: Teredo and other protocols, documentation, and 6to4, which carries an IPv4 address. */
const specialV6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
])
const loopback = blockList('ipv4', [['127.0.0.0', 8]])

function blockList(family: 'ipv4' | 'ipv6', networks: [string, number][]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family)
  return list
}

export function isPublic(address: string): boolean {
  if (isIPv6(address)) return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
  return isIP(address) === 4 && !specialV4.check(address, 'ipv4')
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && loopback.check(address, 'ipv4'))
}

/** Whether the platform of this process is a sandbox on this machine. */
export function isOnThisMachine(apiUrl: string): boolean {
  const { hostname } = new URL(apiUrl)
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

/**
 * The one way out that is not a store's API (S3). A host is looked up once and the connection goes to the address that was
 * checked, so that a name cannot mean another machine a moment later.
 *
 * @throws OutboundRefused for an address that must not be asked, too long an answer, or too late a one; what the socket says.
 */
export function createOutbound({ clock, allowLoopback, resolve = resolveHost }: OutboundOptions): Outbound {
  return async (request) => {
    const ended = new AbortController()
    const late = new AbortController()
    clock.sleep(request.timeoutMs, ended.signal).then(
      () => late.abort(new OutboundRefused(`No complete answer within ${request.timeoutMs} ms.`)),
      () => undefined, // ended in time
    )
    const signal = AbortSignal.any([late.signal, ...(request.signal ? [request.signal] : [])])
    try {
      return await follow(request, { allowLoopback, resolve, signal })
    } finally {
      ended.abort()
    }
  }
}

interface Way {
  allowLoopback: boolean
  resolve: Resolve
  signal: AbortSignal
}

async function follow(request: OutboundRequest, way: Way): Promise<OutboundAnswer> {
  let url = parse(request.url)
  for (let left = Math.min(request.redirects ?? 0, mostRedirects); ; left--) {
    const answer = await askOnce(url, await reachable(url, way), request, way.signal)
    const target = answer.headers.location
    if (answer.httpStatus < 300 || answer.httpStatus >= 400 || target === undefined || left === 0) return answer
    url = parse(target, url)
  }
}

function parse(text: string, from?: URL): URL {
  const url = URL.parse(text, from?.href)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw new OutboundRefused('Not a web address.')
  if (url.username !== '' || url.password !== '') throw new OutboundRefused('An address with a password is not asked.')
  return url
}

/** The address to connect to. Every address of a host has to be allowed: which one it means must not depend on luck. */
async function reachable(url: URL, { allowLoopback, resolve, signal }: Way): Promise<string> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(hostname) ? [hostname] : await unlessAborted(resolve(hostname), signal)
  const [first] = addresses
  if (first === undefined) throw new OutboundRefused(`${hostname} has no address.`)
  if (allowLoopback && addresses.every(isLoopback)) return first
  if (!addresses.every(isPublic)) throw new OutboundRefused(`${hostname} is not a public address.`)
  if (url.protocol !== 'https:' || url.port !== '') throw new OutboundRefused('Only https on port 443 is asked.')
  return first
}

async function resolveHost(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address)
}

/** A look-up cannot be called back; nobody waits for it any longer than for the rest. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const leave = () => reject(signal.reason)
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', leave))
}

async function askOnce(
  url: URL,
  address: string,
  { method = 'GET', maxBytes }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const toThisAddress: LookupFunction = (_hostname, options, answer) => {
    const family = isIP(address)
    if (options.all) answer(null, [{ address, family }])
    else answer(null, address, family)
  }
  const client = new Client(url.origin, { connect: { lookup: toThisAddress }, allowH2: false })
  try {
    const headers = { 'user-agent': 'Storeferry', 'accept-encoding': 'identity' }
    const answer = await client.request({ method, path: `${url.pathname}${url.search}`, headers, signal })
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new OutboundRefused(`The answer is longer than ${maxBytes} bytes.`)
      chunks.push(chunk)
    }
    return { httpStatus: answer.statusCode, headers: flat(answer.headers), body: Buffer.concat(chunks) }
  } finally {
    // What is left of an answer nobody wants is not waited for.
    await client.destroy()
  }
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}
