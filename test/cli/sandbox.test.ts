import { X509Certificate } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { SEEDS } from '../../sandbox/seeds/plant-seed.ts'
import { startSandbox } from '../../sandbox/start.ts'
import { type Run, runProgram, startProgram, stopProgram, untilPrinted } from './run-program.ts'

const runs: Run[] = []
afterEach(async () => {
  await Promise.all(runs.splice(0).map(stopProgram))
})

const EMPTY = ['--store', 'source=empty']

/** The command as it stands after its last line, with what it printed about the store `source`. */
async function aSandboxProgram(...args: string[]) {
  const run = startProgram(['sandbox', ...args], { environment: {} })
  runs.push(run)
  const [, url = '', token = ''] = await untilPrinted(run, /^source: (\S+\/stores\/source) token: (\S+)$/m)
  return { run, url, token }
}

function ask(url: string, token: string) {
  return fetch(url, { headers: { 'X-Auth-Token': token } })
}

async function aTakenPort(): Promise<{ port: number; server: Server }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as { port: number }).port, server }
}

test('it prints the address and token of every store, and serves them with the given plan', async () => {
  const { run, url, token } = await aSandboxProgram(
    '--store',
    'source=tiny',
    '--store',
    'new shop=empty',
    '--plan',
    'pro',
  )
  const answer = await ask(`${url}/v3/catalog/brands`, token)
  expect(answer.headers.get('x-rate-limit-requests-quota')).toBe('450')
  expect(((await answer.json()) as { data: unknown[] }).data).toHaveLength(4)
  const [, other = '', otherToken = ''] = await untilPrinted(run, /^new shop: (\S+\/stores\/newshop) token: (\S+)$/m)
  expect((await ask(`${other}/v2/time`, otherToken)).status).toBe(200)
  expect((await ask(`${other}/v2/time`, token)).status).toBe(401)
})

test('a store can start from an exported file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'storeferry-sandbox-'))
  try {
    const first = await startSandbox({ stores: [{ name: 'shop', seed: 'tiny' }] })
    const file = join(folder, 'shop.ndjson')
    await first.exportStore('shop', createWriteStream(file)).finally(first.close)
    const { url, token } = await aSandboxProgram('--store', `source=${file}`)
    const { data } = (await (await ask(`${url}/v3/catalog/brands`, token)).json()) as { data: unknown[] }
    expect(data).toHaveLength(4)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('it shuts down cleanly on request', async () => {
  const { run } = await aSandboxProgram(...EMPTY)
  run.child.kill('SIGINT')
  expect(await run.ended).toBe(0)
  expect(run.errors()).toBe('')
})

test('--tls prints its address and a certificate for the platform', async () => {
  const { run } = await aSandboxProgram(...EMPTY, '--tls')
  const [pem] = await untilPrinted(run, /-----BEGIN CERTIFICATE-----[\s\S]*-----END CERTIFICATE-----/)
  expect(new X509Certificate(pem).checkHost('api.bigcommerce.com')).toBe('api.bigcommerce.com')
  expect(run.output()).toMatch(/^tls: https:\/\/127\.0\.0\.1:\d+$/m)
})

test('--data keeps the stores with their tokens', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-'))
  try {
    const first = await aSandboxProgram(...EMPTY, '--data', directory)
    await stopProgram(first.run)
    expect((await aSandboxProgram(...EMPTY, '--data', directory)).token).toBe(first.token)
  } finally {
    await Promise.all(runs.splice(0).map(stopProgram))
    await rm(directory, { recursive: true })
  }
})

test('--admin prints the token of the admin API, and --switch and --profile set behaviour of every store', async () => {
  const switches = [
    '--profile',
    'late-stock',
    '--switch',
    'category_batch_max=7',
    '--switch',
    'weight_units=KGS',
    '--switch',
    'serve_originals=false',
  ]
  const { run } = await aSandboxProgram(...EMPTY, '--admin', ...switches)
  const [, api = '', token = ''] = await untilPrinted(run, /^admin: (\S+), X-Sandbox-Admin: (\S+)$/m)
  const answer = await fetch(`${api}/stores/source/switches`, { headers: { 'X-Sandbox-Admin': token } })
  expect(await answer.json()).toEqual({
    inventory_lag_ms: 500,
    category_batch_max: 7,
    weight_units: 'KGS',
    serve_originals: false,
  })
})

test.each(['--port', '--tls-port'])('%s: a port in use is named with the remedy', async (option) => {
  const { port, server } = await aTakenPort()
  try {
    const args = ['sandbox', ...EMPTY, '--tls', option, String(port)]
    const { code, errors } = await runProgram(args, { environment: {} })
    expect(code).toBe(1)
    expect(errors).toMatch(
      new RegExp(`^storeferry: Port ${port} on 127\\.0\\.0\\.1 is taken; .*choose another .*port.*\\n$`),
    )
  } finally {
    server.close()
  }
})

test('--seeds lists the available seeds', async () => {
  const { code, output } = await runProgram(['sandbox', '--seeds'], { environment: {} })
  expect(code).toBe(0)
  expect(output).toBe(`${SEEDS.join('\n')}\n`)
  expect(SEEDS).toContain('empty')
})

test.each([
  [['--store', 'source=nothing'], `There is no seed "nothing" for store source; give one of ${SEEDS.join(', ')}.`],
  [['--store', 'source'], 'Give name=seed, e.g. source=small.'],
  [['--store', 'a=empty', '--store', 'A=empty'], 'Two stores have the hash a; give one of them another'],
  [['--switch', 'tall'], 'Give name=value, e.g. serve_originals=false.'],
  [['--profile', 'as-sen'], 'Unknown profile as-sen; there are documented, as-seen'],
  [['--port', 'x'], 'Give a port from 0 to 65535.'],
  [['--plan', 'huge'], 'Allowed choices are standard, plus, pro, unlimited.'],
])('%j is refused with the remedy', async (args, words) => {
  const { code, errors } = await runProgram(['sandbox', ...args], { environment: {} })
  expect(code).toBe(1)
  expect(errors).toContain(words)
})
