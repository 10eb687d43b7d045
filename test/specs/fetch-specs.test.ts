import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fetchSpecs, REMEDY } from './fetch-specs.ts'
import type { Manifest } from './manifest.ts'

const FILES: Record<string, string> = { 'brands.v3.yml': 'paths: {}\n', 'catalog/products.v3.yml': 'openapi: 3.0.3\n' }

const manifest: Manifest = {
  repository: 'someone/docs',
  commit: '0123456789abcdef',
  folder: 'reference',
  files: Object.entries(FILES).map(([path, content]) => ({
    path,
    size: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  })),
}

let place: string
const closers: (() => void)[] = []
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'specs-'))
})
afterEach(() => {
  for (const close of closers.splice(0)) close()
  rmSync(place, { recursive: true })
})

/** A host that serves the files, but for what `misbehave` answers itself; its base and the paths that were asked. */
async function aHost(misbehave: Record<string, RequestListener> = {}) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url?.replace('/someone/docs/0123456789abcdef/reference/', '') ?? ''
    asked.push(path)
    const answer = misbehave[path] ?? (() => response.writeHead(path in FILES ? 200 : 404).end(FILES[path]))
    answer(request, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  closers.push(close)
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close }
}

const fetchFrom = (base: string) => fetchSpecs({ manifest, folder: join(place, '.specs'), base, longestWaitMs: 1_000 })

/** Every file below the place, with its content. */
function written(): Record<string, string> {
  const entries = readdirSync(place, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(files.map((file) => [relative(place, file), readFileSync(file, 'utf8')]))
}

const ALL = Object.fromEntries(Object.entries(FILES).map(([path, content]) => [join('.specs', path), content]))

test('every file of the pinned commit is fetched, and asked for again only when one is missing or changed', async () => {
  const { base, asked } = await aHost()
  expect(await fetchFrom(base)).toBe(true)
  expect(written()).toEqual(ALL)
  expect(asked).toEqual(Object.keys(FILES))
  expect(await fetchFrom(base)).toBe(false)
  expect(asked).toHaveLength(2)
  writeFileSync(join(place, '.specs/brands.v3.yml'), 'paths: []\n')
  expect(await fetchFrom(base)).toBe(true)
  rmSync(join(place, '.specs/brands.v3.yml'))
  expect(await fetchFrom(base)).toBe(true)
  expect(written()).toEqual(ALL)
})

const whole = FILES['catalog/products.v3.yml'] ?? ''
const refusals: [string, RequestListener, string][] = [
  [
    'a file with another checksum',
    (_, response) => response.end(whole.toUpperCase()),
    'its checksum is not that of test/specs/manifest.json',
  ],
  [
    'a file that goes on for longer than it should',
    (_, response) => response.end(whole.repeat(1_000)),
    'its checksum is not that of test/specs/manifest.json',
  ],
  ['a file that is too short', (_, response) => response.end(whole.slice(1)), 'it has 14 bytes instead of 15'],
  [
    'a body that is cut off',
    (_, response) => {
      response.writeHead(200, { 'Content-Length': whole.length })
      response.write(whole.slice(0, 3), () => response.destroy())
    },
    'the connection failed (other side closed)',
  ],
  [
    'a body that stalls',
    (_, response) => void response.writeHead(200).write(whole.slice(0, 3)),
    'it did not arrive in time',
  ],
  ['a file that is not there', (_, response) => response.writeHead(404).end(), 'the answer is HTTP 404'],
  [
    'a redirect',
    (_, response) => response.writeHead(302, { Location: '/someone/docs/0123456789abcdef/reference/other.yml' }).end(),
    'the connection failed (unexpected redirect)',
  ],
]
test.each(refusals)('%s changes nothing, and the message names file, host and remedy', async (_, misbehave, reason) => {
  const { base } = await aHost({ 'catalog/products.v3.yml': misbehave })
  mkdirSync(join(place, '.specs'))
  writeFileSync(join(place, '.specs/brands.v3.yml'), 'of an older commit')
  await expect(fetchFrom(base)).rejects.toThrow(
    new Error(`catalog/products.v3.yml from ${new URL(base).host}: ${reason}. ${REMEDY}`),
  )
  expect(written()).toEqual({ '.specs/brands.v3.yml': 'of an older commit' })
  expect(readdirSync(place)).toEqual(['.specs'])
})

test('a server does not decide where a file goes', async () => {
  const { base } = await aHost({
    'brands.v3.yml': (_, response) =>
      response.writeHead(200, { 'Content-Disposition': 'attachment; filename="../../escaped.yml"' }).end('paths: {}\n'),
  })
  await fetchFrom(base)
  expect(written()).toEqual(ALL)
})

/** Runs the script in a project of its own, whose manifest is the one above. */
async function runScript(base: string) {
  const project = join(place, 'project')
  const scripts = join(project, 'test/specs')
  for (const file of ['run.ts', 'fetch-specs.ts', 'manifest.ts'])
    cpSync(new URL(file, import.meta.url), join(scripts, file))
  writeFileSync(join(scripts, 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  const ended = spawn(process.execPath, [join(scripts, 'run.ts'), '--from', base], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [printed, complained, [code]] = await Promise.all([
    text(ended.stdout),
    text(ended.stderr),
    once(ended, 'close'),
  ])
  return { code, printed, complained, left: readdirSync(project).toSorted() }
}

test('npm run specs fetches the files, and says when they are there already', async () => {
  const { base } = await aHost()
  const left = ['.specs', 'package.json', 'test']
  const what = '2 files of someone/docs at 0123456789ab'
  expect(await runScript(base)).toEqual({ code: 0, printed: `Fetched ${what} into .specs.\n`, complained: '', left })
  const again = { code: 0, printed: `The ${what} are in .specs already.\n`, complained: '', left }
  expect(await runScript(base)).toEqual(again)
})

test('npm run specs ends with exit code 1 and one line where nobody answers, and leaves nothing behind', async () => {
  const { base, close } = await aHost()
  close()
  const { host } = new URL(base)
  expect(await runScript(base)).toEqual({
    code: 1,
    printed: '',
    complained: `brands.v3.yml from ${host}: the connection failed (connect ECONNREFUSED ${host}). ${REMEDY}\n`,
    left: ['package.json', 'test'],
  })
})
