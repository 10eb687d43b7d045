import { execFile, spawn } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
const page = await readFile(join(project, 'docs/api.md'), 'utf8')
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code)

let world: World
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storeferry-api-page-'))
  world = await startWorld({ catalogueOnly: true })
})
afterAll(async () => {
  await world?.stop()
  await rm(folder, { recursive: true })
})

/** The variables that the page names. */
async function environment(): Promise<NodeJS.ProcessEnv> {
  const { username, email, organization_name, client_id, client_secret } = world.identity
  const { body } = await world.api<{ items: { hash: string; label: string }[] }>('GET', '/v2/stores')
  const hashOf = (label: string) => body.items.find((store) => store.label === label)?.hash
  return {
    PATH: process.env.PATH,
    STOREFERRY_URL: world.url,
    USERNAME: username,
    EMAIL: email,
    ORGANIZATION: organization_name,
    CLIENT_ID: client_id,
    CLIENT_SECRET: client_secret,
    SOURCE: hashOf('source'),
    DESTINATION: hashOf('destination'),
  }
}

async function run(program: string, args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, { cwd: folder, env: await environment(), stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}

test('what docs/api.md does with curl works, from the login to the comparison', async () => {
  await writeFile(join(folder, 'page.sh'), ['set -euo pipefail', ...blocks('sh')].join('\n'))
  const { code, output } = await run('bash', ['page.sh'])
  expect(code, output).toBe(0)
  expect(output).toMatch(/^\w+ source$/m)
  expect(output).toMatch(/^completed$/m)
  expect(output).toMatch(/^The comparison is migration [0-9a-f-]{36}\.$/m)
  expect((await readFile(join(folder, 'mappings.csv'), 'utf8')).split('\n').length).toBeGreaterThan(4)
})

test('its TypeScript compiles against the description of the API, and copies', async () => {
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'page.ts'), blocks('ts').join('\n'))
  await promisify(execFile)(process.execPath, ['test/api/write-openapi-paths.ts'], { cwd: project })
  await copyFile(join(project, 'test/api/openapi-paths.ts'), join(folder, 'storeferry.ts'))
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--allowImportingTsExtensions']
  const compiler = join(project, 'node_modules/typescript-native/bin/tsc')
  const compiled = await run(process.execPath, [compiler, ...options, '--skipLibCheck', '--types', 'node', 'page.ts'])
  expect(compiled).toEqual({ code: 0, output: '' })
  const { code, output } = await run(process.execPath, ['page.ts'])
  expect(code, output).toBe(0)
  expect(output).toMatch(/^completed /)
})
