import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:https'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { type SandboxOptions, startSandbox } from '../../sandbox/start.ts'
import { stopAfterTest } from './a-shop.ts'

async function aTlsSandbox(options: Partial<SandboxOptions> = {}) {
  const stores = [{ name: 'source', seed: 'empty' as const, token: 'secret' }]
  const sandbox = await startSandbox({ stores, tls: true, ...options })
  stopAfterTest(sandbox)
  if (!sandbox.tls) throw new Error('the sandbox does not listen with TLS')
  return { sandbox, tls: sandbox.tls }
}

/** Connects to this machine and requests `host`, as a client whose connections are redirected does. */
function askSecurely(
  { port, ca, host }: { port: number; ca?: string; host: string },
  path: string,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const wish = { port, path, ca, servername: host === '127.0.0.1' ? '' : host, headers: headersFor(host) }
    const asking = request({ ...wish, host: '127.0.0.1', agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
    asking.on('error', reject).end()
  })
}

const headersFor = (host: string) => ({ 'X-Auth-Token': 'secret', Host: host })

test.each([
  'localhost',
  '127.0.0.1',
  'api.bigcommerce.com',
])('TLS answers to %s for a client that trusts the certificate', async (host) => {
  const { tls } = await aTlsSandbox()
  expect(tls.url).toBe(`https://127.0.0.1:${tls.port}`)
  expect(await askSecurely({ port: tls.port, ca: tls.certificate, host }, '/stores/source/v2/time')).toBe(200)
})

test('TLS fails for a client that does not trust the certificate, and for another host', async () => {
  const { tls } = await aTlsSandbox()
  const time = '/stores/source/v2/time'
  await expect(askSecurely({ port: tls.port, host: 'localhost' }, time)).rejects.toThrow('self-signed')
  const foreign = { port: tls.port, ca: tls.certificate, host: 'shop.example' }
  await expect(askSecurely(foreign, time)).rejects.toThrow('altnames')
})

test('both ports show the same stores, and TLS is off by default', async () => {
  const { sandbox, tls } = await aTlsSandbox()
  sandbox.store('source').table('brands').insert({ name: 'Acme' })
  const brands = '/stores/source/v3/catalog/brands'
  expect((await fetch(`${sandbox.url}${brands}`, { headers: { 'X-Auth-Token': 'secret' } })).status).toBe(200)
  expect(await askSecurely({ port: tls.port, ca: tls.certificate, host: 'localhost' }, brands)).toBe(200)
  const plain = await startSandbox({ stores: [] })
  stopAfterTest(plain)
  expect(plain.tls).toBeUndefined()
})

test('the ready line of the process contains the TLS port and the certificate', async () => {
  const options = JSON.stringify({ stores: [{ name: 'source', seed: 'empty', token: 'secret' }], tls: true })
  const child = spawn(process.execPath, ['sandbox/main.ts', options], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  try {
    const [line] = await once(createInterface(child.stdout), 'line')
    const { tls } = JSON.parse(String(line))
    const port = Number(new URL(tls.url).port)
    expect(port).toBe(tls.port)
    expect(await askSecurely({ port, ca: tls.certificate, host: 'localhost' }, '/stores/source/v2/time')).toBe(200)
  } finally {
    child.kill()
    await ended
  }
})
