import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { createDatabase } from '../harness/postgres.ts'
import { runCommandHere } from './run-command.ts'
import { type Run, runProgram, startProgram, stopProgram, untilPrinted } from './run-program.ts'

let directory: string
let environment: Record<string, string>
let sandbox: Run
let service: Run
/** What it printed when there was nothing yet. */
let firstWords: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sf-'))
  // Run by root, PostgreSQL's own user has to pass through.
  await chmod(directory, 0o711)
  const port = await freePort()
  sandbox = startProgram(['sandbox', '--store', 'from=tiny', '--store', 'to=empty'], { environment: {} })
  const [, platform = ''] = await untilPrinted(sandbox, /^BIGCOMMERCE_API_URL=(.*)$/m)
  environment = {
    HOME: directory,
    STOREFERRY_DATA: join(directory, 'data'),
    PORT: String(port),
    BIGCOMMERCE_API_URL: platform,
    STOREFERRY_SETTLE_SECONDS: '0',
  }
  service = startProgram(['start'], { environment })
  await untilPrinted(service, /^Storeferry is ready at (.*)$/m)
  await untilPrinted(service, /^ {2}storeferry admin create-administrator .*$/m)
  firstWords = service.output()
})

afterAll(async () => {
  await stopProgram(service)
  await stopProgram(sandbox)
  await rm(directory, { recursive: true, force: true })
})

interface Given {
  input?: string
  environment?: Record<string, string>
}

/** Runs a command that has to succeed, and gives what it printed. */
async function storeferry(args: string[], given: Given = {}) {
  const { code, output, errors } = await runCommandHere(args, optionsOf(given))
  expect(errors).toBe('')
  expect(code).toBe(0)
  return output
}

async function refused(args: string[], given: Given = {}) {
  const { code, errors } = await runCommandHere(args, optionsOf(given))
  expect(code).toBe(1)
  return errors
}

const optionsOf = (given: Given) => ({ environment: { ...environment, ...given.environment }, input: given.input })

function tokenOf(store: string): string {
  return new RegExp(`^${store}: .* token: (.*)$`, 'm').exec(sandbox.output())?.[1] ?? ''
}

test('the first start says how to create the first administrator, and a later one does not', async () => {
  expect(firstWords).toContain('There is no administrator yet.')
  expect(firstWords).toContain('storeferry admin create-administrator')
  const [, file = ''] =
    /^To create the first administrator, open the link in (\S+) within 30 minutes/m.exec(firstWords) ?? []
  const link = (await readFile(file, 'utf8')).trim()
  expect(link).toMatch(/\/app\/first-administrator#\S{43}$/)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(firstWords).toContain(`cat '${file}'`)
  expect(firstWords).not.toContain(link.split('#')[1])
  const person = ['--first-name', 'Ada', '--last-name', 'Stone', '--email', 'ada@staff.example']
  const made = await storeferry(['admin', 'create-administrator', ...person], {
    environment: { STOREFERRY_PASSWORD: 'a password long enough' },
  })
  expect(made).toBe('Administrator ada@staff.example was created.\n')
  await stopProgram(service)
  service = startProgram(['start'], { environment })
  await untilPrinted(service, /^Storeferry is ready at/m)
  expect(service.output()).not.toContain('administrator')
})

test('a server with a database of its own starts without a data directory, and says why there is no link', async () => {
  const { url, drop } = await createDatabase()
  onTestFinished(drop)
  const port = String(await freePort())
  const given = { DATABASE_URL: url, STOREFERRY_KEY: randomBytes(32).toString('base64'), PORT: port }
  const server = startProgram(['server'], { environment: { ...given, STOREFERRY_DATA: '/proc/ferry' } })
  onTestFinished(() => stopProgram(server))
  await untilPrinted(
    server,
    /^The link to create one could not be written\. Nothing can be created .* STOREFERRY_DATA /m,
  )
  await untilPrinted(server, /^ {2}storeferry admin create-administrator .*$/m)
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
})

test('an administrator sets up an organisation, its stores and its credential; a member signs in and migrates', async () => {
  const owner = ['--owner-first-name', 'Olive', '--owner-last-name', 'Reed', '--owner-email', 'olive@shop.example']
  await storeferry(['admin', 'create-organisation', '--name', 'Reed Lamps', ...owner, '--password-stdin'], {
    input: 'a password long enough\n',
  })
  const organisation = ['--organisation', 'Reed Lamps']
  await storeferry(['admin', 'enable', ...organisation])
  for (const hash of ['from', 'to']) {
    // A merchant chooses the name of the store.
    const named = ['--hash', hash, '--label', 'Shop\u001b[2J']
    const connect = ['admin', 'connect-store', ...organisation, ...named, '--token-stdin']
    expect(await storeferry(connect, { input: tokenOf(hash) })).toContain(`Store ${hash} (Shop?[2J) `)
  }
  const issued = await storeferry(['admin', 'issue-credential', ...organisation])
  const [, clientId = ''] = /^client id: +(sfc_\S+)$/m.exec(issued) ?? []
  const [, secret = ''] = /^client secret: +(\S+)$/m.exec(issued) ?? []
  const listed = await storeferry(['admin', 'list'])
  expect(listed).toMatch(/Reed Lamps +enabled +2 +sfc_/)
  expect(listed).not.toContain(secret)

  const five = ['--username', 'Olive', '--email', 'olive@shop.example', '--organization', 'reed lamps']
  const login = ['login', ...five, '--client-id', clientId]
  expect(await refused(login, { input: 'wrong' })).toBe(
    'storeferry: Invalid credentials. Check all five values; an administrator of the platform issues client_id and client_secret. (invalid_credentials)\n',
  )
  expect(await storeferry(login, { environment: { STOREFERRY_CLIENT_SECRET: secret } })).toContain('Signed in at')
  const tokens = join(directory, '.config', 'storeferry', 'tokens')
  const [file = ''] = await readdir(tokens)
  expect((await stat(join(tokens, file))).mode & 0o777).toBe(0o600)

  const pair = ['--source', 'from', '--destination', 'to']
  expect(await refused(['migrate', ...pair, '--entities', 'brandz'])).toMatch(/entities\.0: Unknown entity/)
  expect(await refused(['migrate', ...pair, '--pick', 'products'])).toMatch(/products=12,34/)
  expect(await refused(['migrate', ...pair, '--pick', 'brands=1,x'])).toMatch(/selection\.brands\.ids\.1/)
  expect(await refused(['migrate', ...pair, '--source-storefront', '1'])).toMatch(/destStorefront/)
  expect(await refused(['migrate', ...pair, '--themes', 'delete'])).toMatch(
    /--themes.*Allowed choices are upload, activate/,
  )
  const id = (await storeferry(['migrate', ...pair, '--entities', 'categories,brands,products'])).trim()
  const watched = await storeferry(['watch', id])
  expect(watched).toMatch(/^Products +Products +12 +12 +0 +0 +0 +0$/m)
  // The seed's descriptions show files that no API gives: that is all there is to say.
  const issues = await storeferry(['issues', id])
  expect(issues.match(/^(warning|failure) .*?:/gm)).toEqual(['warning (open) not_copied:'])
  expect(issues).toMatch(/^In all: 1 not_copied\.$/m)
  expect(await refused(['pause', id])).toContain('invalid_transition')
  const brands = [...pair, '--entities', 'brands']
  expect(await storeferry(['migrate', ...brands, '--verify'])).toMatch(/^Verify /m)
  const storefronts = ['--source-storefront', '1', '--dest-storefront', '1']
  expect(await storeferry(['migrate', ...brands, ...storefronts, '--watch'])).toMatch(/^Brands +Brands +4 /m)
  const gone = await storeferry(['migrate', ...pair, '--pick', 'products=1,2', '--pick', 'brands=3', '--watch'])
  expect(gone).toMatch(/^Products +Products +2 /m)
  const shown = await storeferry(['migrate', ...brands, '--themes', 'activate', '--watch'])
  expect(shown).toMatch(/^Themes +Themes +1 /m)
  expect(shown).toMatch(/^Themes that storefronts show +Themes that storefronts show +1 /m)

  // S7: a token outlives the key that signed it, unless the key is in somebody else's hands.
  await storeferry(['admin', 'rotate-signing-key'])
  expect(await storeferry(['issues', id])).toBe(issues)
  expect(await storeferry(['admin', 'rotate-signing-key', '--compromised'])).toContain('log in again')
  expect(await refused(['issues', id])).toContain('Sign in again with "storeferry login"')
  await storeferry(login, { environment: { STOREFERRY_CLIENT_SECRET: secret } })
  expect(await storeferry(['issues', id])).toBe(issues)

  await storeferry(['admin', 'rotate-credential', ...organisation])
  expect(await refused(['watch', id])).toContain('Sign in again with "storeferry login"')
})

test('S20: no command takes a secret as an argument', async () => {
  for (const command of ['login', 'admin connect-store', 'admin create-administrator', 'admin create-organisation']) {
    const help = await storeferry([...command.split(' '), '--help'])
    expect(help).not.toMatch(/--(\w+-)*(secret|token|password)[ =]</)
  }
})

test('S11: secrets generated by the service are readable by its user only', async () => {
  for (const name of ['encryption.key', 'password']) {
    expect((await stat(join(directory, 'data', name))).mode & 0o777).toBe(0o600)
  }
})

test('without a service, a command names its address and the remedy', async () => {
  const nowhere = { STOREFERRY_URL: `http://127.0.0.1:${await freePort()}` }
  const five = ['--username', 'a', '--email', 'b', '--organization', 'c', '--client-id', 'd']
  expect(await refused(['login', ...five], { input: 'secret', environment: nowhere })).toMatch(
    /^storeferry: No answer from http:\/\/127\.0\.0\.1:\d+ \(.*ECONNREFUSED.*\); start it with "storeferry start".*\n$/,
  )
})

test('S8: without the key file, the start fails with one line and generates no other key', async () => {
  const data = join(directory, 'data')
  await rename(join(data, 'encryption.key'), join(directory, 'put-aside'))
  try {
    expect(await refused(['admin', 'list'])).toMatch(/^storeferry: .*encryption\.key is missing.*\n$/)
    expect(await readdir(data)).not.toContain('encryption.key')
  } finally {
    await rename(join(directory, 'put-aside'), join(data, 'encryption.key'))
  }
})

test('S8: with another key, the start fails with one line that does not quote the key', async () => {
  const key = Buffer.alloc(32, 7).toString('base64')
  const said = await refused(['admin', 'list'], { environment: { STOREFERRY_KEY: key } })
  expect(said).toMatch(/^storeferry: STOREFERRY_KEY is not the key this database was written with.*\n$/)
  expect(said).not.toContain(key)
})

test('S8: a damaged key file is to be restored, because a new key would not open the database', async () => {
  const key = join(directory, 'data', 'encryption.key')
  await rename(key, join(directory, 'put-aside'))
  try {
    await writeFile(key, '', { mode: 0o600 })
    const said = await refused(['admin', 'list'])
    expect(said).toMatch(
      /^storeferry: .*encryption\.key must be 32 random bytes .* the file is damaged: restore it .*\.\n$/,
    )
    expect(said).not.toContain('openssl')
  } finally {
    await rename(join(directory, 'put-aside'), key)
  }
})

test('S8: with the key file of another service, the start names the file and the remedy', async () => {
  const key = join(directory, 'data', 'encryption.key')
  await rename(key, join(directory, 'put-aside'))
  try {
    await writeFile(key, Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 })
    const said = await refused(['admin', 'list'])
    expect(said).toMatch(
      /^storeferry: .*encryption\.key is not the key this database was written with .*copy of it\.\n$/,
    )
    expect(said).not.toContain('STOREFERRY_KEY')
  } finally {
    await rename(join(directory, 'put-aside'), key)
  }
})

test('a port in use is named with the remedy', async () => {
  const { code, errors } = await runProgram(['start'], { environment })
  expect(code).toBe(1)
  expect(errors).toMatch(/^storeferry: Port \d+ on 127\.0\.0\.1 is already in use; .*set PORT.*$/m)
})

test('one port for the service and its metrics is refused with both settings', async () => {
  const port = String(await freePort())
  const { code, errors } = await runProgram(['start'], {
    environment: { ...environment, PORT: port, STOREFERRY_METRICS_PORT: port },
  })
  expect(code).toBe(1)
  expect(errors).toMatch(
    new RegExp(`^storeferry: PORT and STOREFERRY_METRICS_PORT are both ${port}; give each a port of its own\\.$`, 'm'),
  )
})

test.each([
  ['STOREFERRY_DATA', '/proc/ferry'],
  ['STOREFERRY_DATA', '/dev/null'],
  ['STOREFERRY_DATA', '/dev/null/ferry'],
  ['STOREFERRY_RECORD', '/proc/ferry'],
])('%s=%s, where nothing can be created, is refused at once', async (name, directory) => {
  const { code, errors } = await runProgram(['start'], { environment: { ...environment, [name]: directory } })
  expect(code).toBe(1)
  expect(errors).toMatch(
    new RegExp(`^storeferry: Nothing can be created in ${directory} \\(E\\w+\\): set ${name} to a directory `, 'm'),
  )
})

test.each([
  ['HOST', { HOST: '203.0.113.7' }],
  ['STOREFERRY_METRICS_HOST', { STOREFERRY_METRICS_PORT: '9464', STOREFERRY_METRICS_HOST: 'ferry.invalid' }],
])('%s: an address that this machine does not have is named with the remedy', async (name, given) => {
  const { code, errors } = await runProgram(['start'], { environment: { ...environment, ...given } })
  expect(code).toBe(1)
  expect(errors).toMatch(
    new RegExp(`^storeferry: ${name} is "[^"]+", which is no address of this machine; give one of its own, .*$`, 'm'),
  )
})

test.each([
  [['start'], { PORT: 'x' }, 'storeferry: PORT is "x": give a whole number from 1 to 65535.\n'],
  [['server'], {}, /^storeferry: "storeferry server" shares a database with other hosts: set DATABASE_URL/],
  [['worker'], {}, /^storeferry: "storeferry worker" shares a database with other hosts: set DATABASE_URL/],
  [['server'], { DATABASE_URL: 'postgres://u:planted@127.0.0.1/x' }, /^storeferry: STOREFERRY_KEY is missing/],
  [['watch', 'x'], { HOME: '/nonexistent' }, /^storeferry: Not signed in at http.*; run "storeferry login" first\.\n$/],
  [
    ['admin', 'list'],
    { STOREFERRY_DATA: '/nonexistent/ferry' },
    /^storeferry: There is no data of a service in \/nonexistent\/ferry\. Set STOREFERRY_DATA .* add --new after "admin"\.\n$/,
  ],
  [
    ['admin', 'connect-store', '--organisation', 'x', '--hash', 'y', '--token-file', '/nonexistent/token'],
    {},
    'storeferry: There is no directory /nonexistent; check the path, or make the directory first.\n',
  ],
  [
    ['admin', 'connect-store', '--organisation', 'x', '--hash', 'y', '--token-file', '/'],
    {},
    'storeferry: A directory was named instead of a file; name a file.\n',
  ],
  [['sandbox', '--port', '65536'], {}, /^storeferry: option '--port <number>' .* Give a port from 0 to 65535\. See/],
  [['demo'], { DATABASE_URL: 'postgres://u:planted@127.0.0.1/x' }, /^storeferry: The demo uses .* unset DATABASE_URL/],
])('%j with %j names the remedy', async (args, given, expected) => {
  const said = await refused(args, { environment: given as Record<string, string> })
  expect(said).toMatch(expected)
  expect(said).not.toContain('planted')
})

test('docs/commands.md describes every command that --help lists', async () => {
  const docs = await readFile(new URL('../../docs/commands.md', import.meta.url), 'utf8')
  for (const parent of [[], ['admin']]) {
    const help = await storeferry([...parent, '--help'])
    const names = [...(help.split('Commands:')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(
      ([, name]) => name,
    )
    for (const name of names.filter((name) => name !== 'help')) {
      expect(docs).toContain(`\`storeferry ${[...parent, name].join(' ')}`)
    }
  }
})

test('docs/commands.md describes every option that a migration can be started with', async () => {
  const docs = await readFile(new URL('../../docs/commands.md', import.meta.url), 'utf8')
  const help = await storeferry(['migrate', '--help'])
  const options = [...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option = '']) => option)
  expect(options.length).toBeGreaterThan(20)
  expect(options.filter((option) => !docs.includes(`${option} `) && !docs.includes(`${option}\``))).toEqual([])
})
