import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { runCommandHere } from './run-command.ts'
import { type Run, startProgram, stopProgram, untilPrinted } from './run-program.ts'

let directory: string
let keyFile: string
let environment: Record<string, string>
let sandbox: Run
const said: string[] = []
const keys = new Set<string>()

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sf-'))
  await chmod(directory, 0o711)
  sandbox = startProgram(['sandbox', '--store', 'from=tiny'], { environment: {} })
  const [, platform = ''] = await untilPrinted(sandbox, /^BIGCOMMERCE_API_URL=(.*)$/m)
  keyFile = join(directory, 'data', 'encryption.key')
  environment = {
    HOME: directory,
    STOREFERRY_DATA: join(directory, 'data'),
    PORT: String(await freePort()),
    BIGCOMMERCE_API_URL: platform,
    LOG_LEVEL: 'trace',
  }
})

afterAll(async () => {
  await stopProgram(sandbox)
  await rm(directory, { recursive: true, force: true })
})

/** What a command printed, whether it succeeded or not. */
async function storeferry(args: string[], more: Record<string, string> = {}, input?: string) {
  const { code, output, errors } = await runCommandHere(args, { environment: { ...environment, ...more }, input })
  said.push(output, errors)
  return { code, output, refusal: /^storeferry: .*$/m.exec(errors)?.[0] }
}

async function keptKey(): Promise<string> {
  const key = (await readFile(keyFile, 'utf8')).trim()
  keys.add(key)
  return key
}

async function filesOfKeys(): Promise<string[]> {
  const names = await readdir(join(directory, 'data'))
  return names.filter((name) => name.startsWith('encryption.key'))
}

/** Has the token of the store encrypted with the key that the database is written with at the moment. */
async function connectStore() {
  const [, token = ''] = /^from: .* token: (.*)$/m.exec(sandbox.output()) ?? []
  const connect = ['admin', 'connect-store', '--organisation', 'Reed Lamps', '--hash', 'from', '--token-stdin']
  expect(await storeferry(connect, {}, token)).toMatchObject({ code: 0 })
}

test('S8: the key is rotated with the service stopped, after an interrupted rotation, and by the environment; no key is ever printed', async () => {
  await rotateWhileStopped()
  await finishKilledRotation()
  await rotateByEnvironment()
  expect(keys.size).toBe(4)
  for (const key of keys) for (const text of said) expect(text.includes(key)).toBe(false)
  expect(said.join('').length).toBeGreaterThan(500)
})

async function rotateWhileStopped(): Promise<void> {
  const owner = ['--owner-first-name', 'Olive', '--owner-last-name', 'Reed', '--owner-email', 'olive@shop.example']
  const create = ['admin', '--new', 'create-organisation', '--name', 'Reed Lamps', ...owner, '--password-stdin']
  expect(await storeferry(create, {}, 'a password long enough\n')).toMatchObject({ code: 0 })
  await connectStore()
  const first = await keptKey()

  const service = startProgram(['start'], { environment })
  await untilPrinted(service, /^Storeferry is ready at (.*)$/m)
  const running = await storeferry(['admin', 'rotate-key'])
  expect(running).toMatchObject({
    code: 1,
    refusal: expect.stringMatching(/The service is running.*stop it, run this/),
  })
  expect(await keptKey()).toBe(first)
  await stopProgram(service)
  said.push(service.output(), service.errors())

  const rotated = await storeferry(['admin', 'rotate-key'])
  expect(rotated.output).toMatch(/^stores: 1 left to encrypt with the new key$/m)
  expect(rotated.output).toMatch(/^The old key is no longer needed/m)
  expect(rotated.code).toBe(0)
  expect(await keptKey()).not.toBe(first)
  expect(await filesOfKeys()).toEqual(['encryption.key'])
  expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
  expect(await storeferry(['admin', 'list'])).toMatchObject({ code: 0 })
}

/** It was killed before it put the new key into its place: a start finds that, and the next rotation finishes it. */
async function finishKilledRotation(): Promise<void> {
  const before = await keptKey()
  expect(await storeferry(['admin', 'rotate-key'])).toMatchObject({ code: 0 })
  const after = await keptKey()
  await writeFile(`${keyFile}.next`, `${after}\n`, { mode: 0o600 })
  await writeFile(keyFile, `${before}\n`, { mode: 0o600 })

  expect(await storeferry(['admin', 'list'])).toMatchObject({ code: 0 })
  await connectStore()
  expect(await storeferry(['admin', 'rotate-key'])).toMatchObject({ code: 0 })
  expect(await keptKey()).toBe(after)
  expect(await filesOfKeys()).toEqual(['encryption.key'])
}

/** While servers run that know the old key and the new one. */
async function rotateByEnvironment(): Promise<void> {
  const old = await keptKey()
  const given = Buffer.alloc(32, 5).toString('base64')
  keys.add(given)
  const both = { STOREFERRY_KEY: given, STOREFERRY_OLD_KEYS: old }
  expect(await storeferry(['admin', 'rotate-key'], { STOREFERRY_KEY: given })).toMatchObject({
    code: 1,
    refusal: expect.stringContaining('STOREFERRY_KEY is not the key this database was written with'),
  })

  const service = startProgram(['start'], { environment: { ...environment, ...both } })
  await untilPrinted(service, /^Storeferry is ready at (.*)$/m)
  const rotated = await storeferry(['admin', 'rotate-key'], both)
  expect(rotated.output).toMatch(
    /^stores: 1 left.*\n(signing_keys: .*\n)?The database is now written with the key \w{16}\.$/m,
  )
  expect(rotated.output).toMatch(/remove STOREFERRY_OLD_KEYS/)
  await stopProgram(service)
  said.push(service.output(), service.errors())
  expect(await storeferry(['admin', 'list'], { STOREFERRY_KEY: given })).toMatchObject({ code: 0 })
}
