import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const project = fileURLToPath(new URL('..', import.meta.url))

/** Preloaded, it makes the launcher believe that it runs on an older Node; the packaged one starts without it. */
const olderNode = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`

const tellsWhereItRuns = `export async function main(argv: string[]) {
  console.log(JSON.stringify({ argv, execPath: process.execPath, version: process.version }))
}`

const waitsForASignal = `export async function main() {
  const waiting = setInterval(() => {}, 1000)
  process.once('SIGTERM', () => { console.log('SIGTERM arrived'); clearInterval(waiting); process.exitCode = 7 })
  process.once('SIGINT', () => { console.log('SIGINT arrived'); clearInterval(waiting); process.exitCode = 6 })
  process.once('SIGHUP', () => { console.log('SIGHUP arrived'); clearInterval(waiting); process.exitCode = 8 })
  console.log('ready')
}`

let house: string
beforeEach(async () => {
  house = await mkdtemp(join(tmpdir(), 'storeferry-launcher-'))
  await cp(join(project, 'bin'), join(house, 'bin'), { recursive: true })
  await symlink(join(project, 'node_modules'), join(house, 'node_modules'))
  await place('package.json', '{ "type": "module" }')
  await place('older-node.cjs', olderNode)
})
afterEach(() => rm(house, { recursive: true }))

test('a Node that is new enough runs the program itself', async () => {
  await place('src/main.ts', tellsWhereItRuns)
  const { code, stdout } = await run(launch(['start', '--demo']))
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    argv: ['start', '--demo'],
    execPath: process.execPath,
    version: process.version,
  })
})

test('an older Node hands over to the packaged one, with the same arguments', async () => {
  await place('src/main.ts', tellsWhereItRuns)
  const { code, stdout } = await run(launchOnOlderNode(['start', 'two words', '']))
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ argv: ['start', 'two words', ''], version: 'v24.21.0' })
  expect(JSON.parse(stdout).execPath).toContain('node_modules/node-')
})

test('the program itself says its version, on a new Node and behind the hop', async () => {
  const { version } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as { version: string }
  const older = ['--require', join(house, 'older-node.cjs')]
  for (const nodeArguments of [[], older]) {
    const launcher = spawn(process.execPath, [...nodeArguments, join(project, 'bin/storeferry.cjs'), '--version'])
    expect(await run(launcher)).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
  }
})

test('a published package runs its JavaScript; in a checkout, one left by an earlier build does not run', async () => {
  await place('dist/src/main.js', 'export async function main() { console.log("dist") }')
  expect(await run(launch([]))).toMatchObject({ code: 0, stdout: 'dist\n' })
  await place('src/main.ts', 'export async function main() { console.log("source") }')
  expect(await run(launch([]))).toMatchObject({ code: 0, stdout: 'source\n' })
})

test.each([
  ['SIGINT', 6],
  ['SIGTERM', 7],
  ['SIGHUP', 8],
] as const)('%s reaches the program behind the hop, and its exit code comes back', async (signal, code) => {
  await place('src/main.ts', waitsForASignal)
  const launcher = launchOnOlderNode([])
  const result = run(launcher)
  await once(launcher.stdout as NodeJS.ReadableStream, 'data')
  launcher.kill(signal)
  expect(await result).toMatchObject({ code, stdout: `ready\n${signal} arrived\n` })
})

test.each([
  ['npm start', { npm_package_name: 'storeferry', npm_lifecycle_event: 'start' }],
  ['npx', { npm_lifecycle_event: 'npx' }],
])('started by %s, the program ends in order when that ends, which stops nothing but its own shell', async (_, environment) => {
  await place('src/main.ts', waitsForASignal)
  for (const older of [[], ['--require', join(house, 'older-node.cjs')]]) {
    const command = [process.execPath, ...older, join(house, 'bin/storeferry.cjs')]
    const env = { PATH: process.env.PATH, ...environment }
    const shell = spawn('sh', ['-c', '"$0" "$@"; true', ...command], { env })
    const result = run(shell)
    await once(shell.stdout, 'data')
    shell.kill('SIGTERM')
    // Its output is closed when the last process that has it ends.
    expect((await result).stdout).toBe('ready\nSIGTERM arrived\n')
  }
})

test('a program that was ended by a signal ends the launcher by the same signal', async () => {
  await place('src/main.ts', `export async function main() { process.kill(process.pid, 'SIGKILL') }`)
  expect(await run(launchOnOlderNode([]))).toMatchObject({ code: null, signal: 'SIGKILL' })
})

test('a failing program fails the launcher', async () => {
  await place('src/main.ts', 'export async function main() { throw new Error("broken") }')
  // One after the other: nobody would hear one end that ends while the other is waited for.
  for (const start of [launch, launchOnOlderNode])
    expect(await run(start([]))).toMatchObject({ code: 1, stderr: expect.stringContaining('broken') })
})

test('S30: a packaged Node that is not the recorded one is refused and not run', async () => {
  await place('src/main.ts', tellsWhereItRuns)
  await replacePackagedNode('#!/bin/sh\necho another program ran\n')
  const result = await run(launchOnOlderNode([]))
  expect(result).toMatchObject({ code: 1, stdout: '' })
  expect(result.stderr).toMatch(
    /is not the recorded Node 24\.21\.0 \(SHA-256 [0-9a-f]{64}\); run "npm ci" to restore it\.\n$/,
  )
})

test('S30: a check that was passed once does not cover a program that replaced it', async () => {
  await place('src/main.ts', tellsWhereItRuns)
  await replacePackagedNode('#!/bin/sh\necho another program ran\n')
  await cp(join(project, 'node_modules', packageName, 'bin/node'), join(house, 'node_modules', packageName, 'bin/node'))
  expect(await run(launchOnOlderNode([]))).toMatchObject({ code: 0 })
  await replacePackagedNode('#!/bin/sh\necho another program ran\n')
  expect(await run(launchOnOlderNode([]))).toMatchObject({ code: 1, stdout: '' })
})

test('without any usable Node one line names the remedy', async () => {
  await rm(join(house, 'node_modules'))
  const { code, stderr } = await run(launchOnOlderNode([]))
  expect(code).toBe(1)
  expect(stderr).toMatch(/^Storeferry needs Node 24 or later and this is v\S+; install Node 24 from .*\n$/)
})

const packageName = `node-${process.platform}-${process.arch}`

async function replacePackagedNode(program: string): Promise<void> {
  await rm(join(house, 'node_modules'), { recursive: true })
  await place(`node_modules/${packageName}/package.json`, '{}')
  await place(`node_modules/${packageName}/bin/node`, program)
  await chmod(join(house, `node_modules/${packageName}/bin/node`), 0o755)
}

async function place(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(house, path)), { recursive: true })
  await writeFile(join(house, path), content)
}

function launch(args: string[], nodeArguments: string[] = []): ChildProcess {
  return spawn(process.execPath, [...nodeArguments, join(house, 'bin/storeferry.cjs'), ...args])
}

function launchOnOlderNode(args: string[]): ChildProcess {
  return launch(args, ['--require', join(house, 'older-node.cjs')])
}

async function run(child: ChildProcess) {
  const output = Promise.all([text(child.stdout as NodeJS.ReadableStream), text(child.stderr as NodeJS.ReadableStream)])
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  const [stdout, stderr] = await output
  return { code, signal, stdout, stderr }
}
