import { createSocket } from 'node:dgram'
import dns from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import {
  createOutbound,
  isOnThisMachine,
  isPublic,
  OutboundLate,
  OutboundRefused,
  type Resolve,
} from '../../src/outbound.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** @returns the port of a server on this machine that gives this answer. */
async function aServer(answer: RequestListener): Promise<number> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const names: Record<string, string[]> = {
  'here.example': ['127.0.0.1'],
  'inside.example': ['10.1.2.3'],
  'both.example': ['93.184.215.14', '192.168.1.1'],
  'public.example': ['93.184.215.14'],
  'nowhere.example': [],
}
const resolve: Resolve = async (hostname) => names[hostname] ?? []
const limits = { maxBytes: 100, timeoutMs: 5_000 }
const onThisMachine = createOutbound({ clock: systemClock, allowLoopback: true, resolve })
const abroad = createOutbound({ clock: systemClock, allowLoopback: false, resolve })

test.each([
  ['10.0.0.1', 'a private network'],
  ['172.31.255.255', 'a private network'],
  ['192.168.0.1', 'a private network'],
  ['100.64.0.1', "a carrier's own network"],
  ['127.0.0.1', 'this machine'],
  ['0.0.0.0', 'this machine'],
  ['169.254.169.254', 'the metadata service of a cloud'],
  ['192.0.2.1', 'documentation'],
  ['198.18.0.1', 'benchmarks'],
  ['224.0.0.1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'this machine'],
  ['::1', 'this machine'],
  ['::ffff:10.0.0.1', 'a mapped IPv4 address'],
  ['::ffff:93.184.215.14', 'a mapped IPv4 address, whatever it maps'],
  ['64:ff9b::a00:1', 'NAT64'],
  ['64:ff9b:1::1', 'NAT64 of a network'],
  ['fe80::1', 'a link'],
  ['fc00::1', 'a unique local network'],
  ['fd12:3456::1', 'a unique local network'],
  ['ff02::1', 'multicast'],
  ['2001::1', 'Teredo'],
  ['2001:db8::1', 'documentation'],
  ['2002:a00:1::1', '6to4'],
  ['here.example', 'no address at all'],
])('S3: %s belongs to %s and is not public', (address) => {
  expect(isPublic(address)).toBe(false)
})

test.each([
  '93.184.215.14',
  '1.1.1.1',
  '100.128.0.1',
  '172.32.0.1',
  '2606:4700::1111',
  '2a00:1450:4001::1',
])('S3: %s is public', (address) => {
  expect(isPublic(address)).toBe(true)
})

test.each([
  ['http://public.example/a.png', 'Only https on port 443 is allowed.'],
  ['https://public.example:8443/a.png', 'Only https on port 443 is allowed.'],
  ['https://inside.example/a.png', 'inside.example is not a public address.'],
  ['https://both.example/a.png', 'both.example is not a public address.'],
  ['https://here.example/a.png', 'here.example is not a public address.'],
  ['https://127.0.0.1/a.png', '127.0.0.1 is not a public address.'],
  ['https://0x7f.1/a.png', '127.0.0.1 is not a public address.'],
  ['https://[::ffff:a00:1]/a.png', '::ffff:a00:1 is not a public address.'],
  ['https://nowhere.example/a.png', 'nowhere.example has no address.'],
  ['https://user:secret@public.example/a.png', 'Addresses with a password are not allowed.'],
  ['file:///etc/passwd', 'Not a web address.'],
  ['a.png', 'Not a web address.'],
])('S3: %s is refused before any connection', async (url, message) => {
  await expect(abroad({ url, ...limits })).rejects.toThrow(new OutboundRefused(message))
})

test('S3: where the platform is a sandbox on this machine, private networks stay closed', async () => {
  for (const url of ['http://inside.example/', 'http://169.254.169.254/', 'http://[fd12:3456::1]/'])
    await expect(onThisMachine({ url, ...limits })).rejects.toThrow(OutboundRefused)
})

test('S3: a host is looked up once and the connection goes to the address that was checked', async () => {
  let lookups = 0
  const port = await aServer((request, response) => response.end(`asked as ${request.headers.host}`))
  // The second answer is where an attacker would send us after the check.
  const rebinding = createOutbound({
    clock: systemClock,
    allowLoopback: true,
    resolve: async () => (++lookups === 1 ? ['127.0.0.1'] : ['10.0.0.1']),
  })
  const answer = await rebinding({ url: `http://shop.example:${port}/a.png`, ...limits })
  expect([answer.httpStatus, answer.body.toString(), lookups]).toEqual([200, `asked as shop.example:${port}`, 1])
})

test('S3: a request carries only the headers accept-encoding, connection, host and user-agent', async () => {
  const port = await aServer((request, response) => response.end(JSON.stringify(Object.keys(request.headers).sort())))
  const { body } = await onThisMachine({ url: `http://here.example:${port}/`, ...limits })
  expect(JSON.parse(body.toString())).toEqual(['accept-encoding', 'connection', 'host', 'user-agent'])
})

test('S3: a POST carries its body as JSON to the given address, and follows no redirect with it', async () => {
  const port = await aServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const said = `${request.method} ${request.headers['content-type']} ${Buffer.concat(chunks)}`
      response.writeHead(request.url === '/moved' ? 307 : 200, { location: '/token' }).end(said)
    })
  })
  const post = (path: string) =>
    onThisMachine({
      url: `http://here.example:${port}${path}`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"code":"a"}',
      redirects: 3,
      ...limits,
    })
  const answer = await post('/token')
  expect([answer.httpStatus, answer.body.toString()]).toEqual([200, 'POST application/json {"code":"a"}'])
  expect((await post('/moved')).httpStatus).toBe(307)
  const inside = { url: 'https://inside.example/oauth2/token', method: 'POST' as const, body: '{}', ...limits }
  await expect(abroad(inside)).rejects.toThrow('inside.example is not a public address.')
})

test('S3: each redirect is checked like the first address, and the fourth is not followed', async () => {
  const port = await aServer((request, response) => {
    const [, kind, step] = (request.url ?? '').split('/')
    const next = kind === 'inside' ? 'http://inside.example/secret' : `/round/${Number(step ?? 0) + 1}`
    response.writeHead(302, { location: next }).end()
  })
  const from = (path: string, redirects?: number) =>
    onThisMachine({ url: `http://here.example:${port}/${path}`, ...limits, ...(redirects && { redirects }) })
  await expect(from('inside', 3)).rejects.toThrow('inside.example is not a public address.')
  expect(await from('inside')).toMatchObject({ httpStatus: 302 })
  expect(await from('round/0', 9)).toMatchObject({ httpStatus: 302, headers: { location: '/round/4' } })
})

test('S3: an answer that is too long is not read to its end', async () => {
  const port = await aServer((request, response) => response.end('x'.repeat(request.url === '/101' ? 101 : 100)))
  const ask = (path: string) => onThisMachine({ url: `http://here.example:${port}${path}`, ...limits })
  await expect(ask('/101')).rejects.toThrow(new OutboundRefused('The answer is longer than 100 bytes.'))
  expect((await ask('/100')).body).toHaveLength(100)
})

test('S3: a lookup or an answer that does not end in time is given up', async () => {
  const port = await aServer((request, response) => {
    if (request.url === '/begins') response.write('x')
  })
  for (const path of ['/silent', '/begins'])
    await expect(
      onThisMachine({ url: `http://here.example:${port}${path}`, maxBytes: 100, timeoutMs: 50 }),
    ).rejects.toThrow(new OutboundRefused('No complete answer within 50 ms.'))
  const never = createOutbound({ clock: systemClock, allowLoopback: true, resolve: () => new Promise(() => undefined) })
  await expect(never({ url: 'http://slow.example/', maxBytes: 100, timeoutMs: 50 })).rejects.toThrow(OutboundRefused)
})

test('S3: HEAD gives the size of a picture without its bytes', async () => {
  const port = await aServer((_request, response) => response.writeHead(200, { 'content-length': 5_000_000 }).end())
  const answer = await onThisMachine({ url: `http://here.example:${port}/`, method: 'HEAD', ...limits })
  expect([answer.httpStatus, answer.headers['content-length'], answer.body.length]).toEqual([200, '5000000', 0])
})

test.each([
  ['https://api.bigcommerce.com', false],
  ['http://localhost:4001', true],
  ['http://127.0.0.1:4001', true],
  ['http://[::1]:4001', true],
  ['https://localhost.example', false],
])('S3: only a platform on this machine opens it to requests: %s', (apiUrl, open) => {
  expect(isOnThisMachine(apiUrl)).toBe(open)
})

test('S25: names whose servers do not answer keep no look-up of anything else waiting', async () => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1')
  await once(silent, 'listening')
  const { Resolver } = dns
  dns.Resolver = class extends Resolver {
    constructor(options: ConstructorParameters<typeof Resolver>[0]) {
      super(options)
      this.setServers([`127.0.0.1:${silent.address().port}`])
    }
  }
  const outbound = createOutbound({ clock: systemClock, allowLoopback: false })
  const asked = Array.from({ length: 10 }, (_, at) =>
    outbound({ url: `https://hook${at}.example/`, maxBytes: 100, timeoutMs: 500 }).catch((error: unknown) => error),
  )
  const startMs = performance.now()
  await dns.lookup('localhost')
  expect(performance.now() - startMs).toBeLessThan(500)
  for (const refused of await Promise.all(asked)) expect(refused).toBeInstanceOf(OutboundLate)
  dns.Resolver = Resolver
  silent.close()
})
