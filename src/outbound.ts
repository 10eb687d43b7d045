import dns from 'node:dns/promises'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { Client } from 'undici'
import type { Clock } from './clock.ts'

export interface OutboundRequest {
  url: string
  method?: 'GET' | 'HEAD' | 'POST'
  /** Beside those that every request has. */
  headers?: Record<string, string>
  /** Of a POST, which follows no redirect. */
  body?: string
  /** A longer answer is refused. */
  maxBytes: number
  /** The rest of an answer that is longer, breaks off or does not end in time is not read, instead: its status counts. */
  cutsLongAnswer?: true
  /** For everything together: DNS, connecting, redirects, the last byte. */
  timeoutMs: number
  /** Redirects to follow, at most 3, each checked like the first address. None by default. */
  redirects?: number
  signal?: AbortSignal
}

export interface OutboundAnswer {
  httpStatus: number
  /** Names in lower case. */
  headers: Record<string, string>
  body: Buffer
}

/** Fetches any address except a store's API. Credentials are only sent in the body of a POST that contains them. */
export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>

/** Addresses of a host, in the order to try. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<string[]>

export interface OutboundOptions {
  clock: Clock
  /** Allows this machine, by http and on any port. Only for when the platform is a sandbox on it. */
  allowLoopback: boolean
  resolve?: Resolve
}

/** The address may not be fetched, or the answer may not be read. The message never quotes the answer. */
export class OutboundRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OutboundRefused'
  }
}

/** The deadline has passed. */
export class OutboundLate extends OutboundRefused {}

const mostRedirects = 3

/** Source: the IANA registries of special-purpose addresses. Everything else is public. */
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
/** The only block assigned as global unicast; mapped, translated, local and multicast addresses are outside. */
const globalV6 = blockList('ipv6', [['2000::', 3]])
/** Blocks inside it that are not public: Teredo and other protocols, documentation, and 6to4, which embeds an IPv4 address. */
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

/** The host of an address, if the address itself names one that is not public. What a name leads to shows when it is used. */
export function privateHostIn(url: string): string | undefined {
  const host = hostOf(new URL(url))
  return isIP(host) && !isPublic(host) ? host : undefined
}

/** An address of IPv6 without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && loopback.check(address, 'ipv4'))
}

/** Whether the platform of this process is a sandbox on this machine. */
export function isOnThisMachine(apiUrl: string): boolean {
  const host = hostOf(new URL(apiUrl))
  return host === 'localhost' || isLoopback(host)
}

/**
 * The only way to fetch anything but a store's API (S3). A host is resolved once, and the connection goes to the checked address, so
 * the name cannot point to another machine a moment later.
 *
 * @throws OutboundRefused for a forbidden address, or an answer too long or too late; otherwise the socket's error.
 */
export function createOutbound({
  clock,
  allowLoopback,
  resolve = allowLoopback ? lookUp : askNameServers,
}: OutboundOptions): Outbound {
  return async (request) => {
    const ended = new AbortController()
    const late = new AbortController()
    clock.sleep(request.timeoutMs, ended.signal).then(
      () => late.abort(new OutboundLate(`No complete answer within ${request.timeoutMs} ms.`)),
      () => undefined, // Ended in time.
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
  for (let left = request.method === 'POST' ? 0 : Math.min(request.redirects ?? 0, mostRedirects); ; left--) {
    const answer = await askOnce(url, await reachable(url, way), request, way.signal)
    const target = answer.headers.location
    if (answer.httpStatus < 300 || answer.httpStatus >= 400 || target === undefined || left === 0) return answer
    url = parse(target, url)
  }
}

function parse(text: string, from?: URL): URL {
  const url = URL.parse(text, from?.href)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw new OutboundRefused('Not a web address.')
  if (url.username !== '' || url.password !== '')
    throw new OutboundRefused('Addresses with a password are not allowed.')
  return url
}

/** The address to connect to. All addresses of a host must be allowed, so the result does not depend on chance. */
async function reachable(url: URL, { allowLoopback, resolve, signal }: Way): Promise<string> {
  const hostname = hostOf(url)
  const addresses = isIP(hostname) ? [hostname] : await unlessAborted(resolve(hostname, signal), signal)
  const [first] = addresses
  if (first === undefined) throw new OutboundRefused(`${hostname} has no address.`)
  if (allowLoopback && addresses.every(isLoopback)) return first
  if (!addresses.every(isPublic)) throw new OutboundRefused(`${hostname} is not a public address.`)
  if (url.protocol !== 'https:' || url.port !== '') throw new OutboundRefused('Only https on port 443 is allowed.')
  return first
}

/** Knows the names of this machine, too. */
async function lookUp(hostname: string): Promise<string[]> {
  return (await dns.lookup(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address)
}

/** In all some seconds: a server that answers about one kind of addresses only must not use up the deadline. */
const patience = { timeout: 2_000, tries: 2 }

/**
 * For names that strangers choose. Node has two threads for `lookup`, each of which waits for as long as a name server does not answer:
 * ten such names would keep all look-ups of the process waiting for a minute, those of the database, too.
 */
async function askNameServers(hostname: string, signal: AbortSignal): Promise<string[]> {
  // A new one, because each keeps the name servers that the machine had when it was made.
  const resolver = new dns.Resolver(patience)
  // It would keep this process from ending.
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = (hasIPv4() ? [v4, v6] : [v6, v4]).flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason
  return addresses
}

/** Whether this machine may reach addresses of IPv4. */
function hasIPv4(): boolean {
  return Object.values(networkInterfaces()).some((own) =>
    own?.some(({ family, internal }) => family === 'IPv4' && !internal),
  )
}

/** A look-up cannot be aborted, so it is abandoned at the deadline. */
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
  { method = 'GET', maxBytes, cutsLongAnswer, headers, body }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const toThisAddress: LookupFunction = (_hostname, options, answer) => {
    const family = isIP(address)
    if (options.all) answer(null, [{ address, family }])
    else answer(null, address, family)
  }
  const client = new Client(url.origin, { connect: { lookup: toThisAddress }, allowH2: false })
  try {
    const path = `${url.pathname}${url.search}`
    const sent = { 'user-agent': 'Storeferry', 'accept-encoding': 'identity', ...headers }
    const answer = await client.request({ method, path, headers: sent, body: body ?? null, signal })
    const chunks: Buffer[] = []
    let bytes = 0
    try {
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > maxBytes && cutsLongAnswer) break
        if (bytes > maxBytes) throw new OutboundRefused(`The answer is longer than ${maxBytes} bytes.`)
        chunks.push(chunk)
      }
    } catch (error) {
      if (!cutsLongAnswer) throw error
    }
    return { httpStatus: answer.statusCode, headers: flat(answer.headers), body: Buffer.concat(chunks) }
  } finally {
    // Do not wait for the rest of an unwanted answer.
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
