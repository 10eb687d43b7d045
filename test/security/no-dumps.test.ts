import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { isLong } from '../harness/long-form.ts'
import { createDatabase } from '../harness/postgres.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
const crashChild = fileURLToPath(new URL('crash-child.ts', import.meta.url))
const isLinux = process.platform === 'linux'
let directory: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sf-dumps-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

/** On a host that is configured to write dumps into the working directory. */
const onDumpingHost = ['-c', 'ulimit -c unlimited && exec "$0" "$@"', process.execPath]

const nothingToDump = {
  limits: expect.stringMatching(/^Max core file size +0 +0 +bytes/m),
  // Nothing for a program that collects dumps whatever the limit is.
  filter: '00000000',
}

// Running out of memory takes seconds.
test.skipIf(!isLinux).each(isLong ? ['signal', 'memory'] : ['signal'])(
  'S32: the process of a run that ends by %s leaves no dump, although its host may write dumps of any size; needs Linux',
  async (way) => {
    const host = promisify(execFile)('/bin/sh', [...onDumpingHost, crashChild, way], { cwd: directory })
    expect(JSON.parse((await host).stdout)).toEqual({ ...nothingToDump, signal: 'SIGABRT' })
    expect(await readdir(directory)).toEqual([])
  },
)

/** What the launcher starts, in place of the service: it says its limits and crashes. */
const crashes = `import { readFileSync } from 'node:fs'
export async function main(argv) {
  const file = (name) => readFileSync('/proc/self/' + name, 'utf8')
  process.stdout.write(JSON.stringify({ argv, limits: file('limits'), filter: file('coredump_filter').trim() }))
  process.abort()
}`

/** Preloaded, it makes the launcher believe that it runs on an older Node. */
const olderNode = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`

test.skipIf(!isLinux).each([
  ['this Node', [], { code: null, signal: 'SIGABRT' }],
  // Reported by its code, because the older Node would leave a dump itself.
  ['the packaged Node', ['--require', './older-node.cjs'], { code: 134, signal: null }],
])(
  'S32: the program leaves no dump on %s, although its host may write dumps of any size; needs Linux',
  async (_, nodeArguments, end) => {
    await cp(join(project, 'bin'), join(directory, 'bin'), { recursive: true })
    await writeFile(join(directory, 'older-node.cjs'), olderNode)
    await writeFile(join(directory, 'package.json'), '{ "type": "module" }')
    await mkdir(join(directory, 'src'))
    await writeFile(join(directory, 'src/main.ts'), crashes)
    const args = [...nodeArguments, 'bin/storeferry.cjs', 'worker', 'two words', '']
    const env = { PATH: process.env.PATH, NODE_PATH: join(project, 'node_modules') }
    const program = spawn('/bin/sh', [...onDumpingHost, ...args], { cwd: directory, env, stdio: 'pipe' })
    let output = ''
    program.stdout.on('data', (chunk) => (output += chunk))
    const [code, signal] = await once(program, 'close')
    expect({ code, signal }).toEqual(end)
    expect(JSON.parse(output)).toEqual({ ...nothingToDump, argv: ['worker', 'two words', ''] })
    expect((await readdir(directory)).filter((file) => file.startsWith('core'))).toEqual([])
  },
)

if (isLong)
  test.skipIf(!isLinux)(
    'S32: a server and a worker host that are aborted leave no dump, although their host may write dumps of any size; needs Linux',
    async () => {
      const { url, drop } = await createDatabase()
      const port = await freePort()
      const env = {
        ...{ PATH: process.env.PATH, HOME: directory, DATABASE_URL: url, STOREFERRY_URL: `http://127.0.0.1:${port}` },
        ...{ PORT: String(port), STOREFERRY_KEY: randomBytes(32).toString('base64') },
      }
      try {
        for (const role of ['server', 'worker']) {
          const args = [join(project, 'bin/storeferry.cjs'), role]
          const program = spawn('/bin/sh', [...onDumpingHost, ...args], { cwd: directory, env, stdio: 'pipe' })
          const ended = once(program, 'exit')
          await once(program.stdout, 'data')
          const file = (name: string) => readFile(`/proc/${program.pid}/${name}`, 'utf8')
          const said = { limits: await file('limits'), filter: (await file('coredump_filter')).trim() }
          program.kill('SIGABRT')
          expect([role, (await ended)[1]]).toEqual([role, 'SIGABRT'])
          expect([role, said]).toEqual([role, nothingToDump])
          expect(await readdir(directory)).toEqual([])
        }
      } finally {
        await drop()
      }
    },
  )
