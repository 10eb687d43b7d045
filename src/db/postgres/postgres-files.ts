import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir, mkdtemp, readFile, realpath, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Account, exists, isWindows } from './postgres-binaries.ts'

// Where the embedded PostgreSQL's files are, and who owns them.

/** Only names the socket; each cluster has its own directory. */
export const socketPort = 5432

/** Longest path of a unix socket, without the terminating zero. Source: Linux unix(7). */
const longestSocketPath = 107

export async function prepareDataDirectory(path: string): Promise<string> {
  // PostgreSQL's user can pass through to its own directories, but cannot list or read anything of ours.
  const mode = isRoot() ? 0o711 : 0o700
  await mkdir(path, { recursive: true, mode })
  await chmod(path, mode)
  return realpath(path)
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

export function postgresAccount(): Account {
  return isRoot() ? { uid: 65534, gid: 65534 } : { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 }
}

/**
 * PostgreSQL's user cannot enter root's own directories (below /root), and we do not open them up. Its files then go to
 * /var/lib, and `location` in the data directory records where.
 */
export async function chooseHome(
  dataDirectory: string,
  account: Account,
  log: { warn(fields: object, message: string): void },
): Promise<string> {
  const remembered = await readLocation(dataDirectory)
  if (remembered !== undefined) return remembered
  if (!isRoot() || (await canEnter(dataDirectory, account))) return dataDirectory
  await mkdir('/var/lib/storeferry', { recursive: true })
  await chmod('/var/lib/storeferry', 0o711)
  const home = await mkdtemp('/var/lib/storeferry/')
  await chmod(home, 0o711)
  await writeFile(join(dataDirectory, 'location'), `${home}\n`, { mode: 0o600, flush: true })
  log.warn(
    { dataDirectory, home },
    'PostgreSQL does not run as root and its user cannot enter the data directory; its files are kept elsewhere',
  )
  return home
}

async function readLocation(dataDirectory: string): Promise<string | undefined> {
  const path = join(dataDirectory, 'location')
  if (!(await exists(path))) return undefined
  const home = (await readFile(path, 'utf8')).trim()
  if (await exists(home)) return home
  throw new Error(
    `The database of ${dataDirectory} is kept in ${home} (says ${path}), which is missing; restore it from your backup.`,
  )
}

async function canEnter(directory: string, { uid, gid }: Account): Promise<boolean> {
  for (let path = directory; ; path = dirname(path)) {
    const { mode, uid: owner, gid: group } = await stat(path)
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
    if ((mode & bit) === 0) return false
    if (path === dirname(path)) return true
  }
}

export async function prepareSocketDirectory(home: string, account: Account): Promise<string> {
  const beside = join(home, 'socket')
  const name = createHash('sha256').update(home).digest('hex').slice(0, 16)
  const longestFile = join(beside, `.s.PGSQL.${socketPort}.lock`)
  const short = Buffer.byteLength(longestFile) <= longestSocketPath
  const directory = short ? beside : join(resolve(tmpdir()), `storeferry-${name}`)
  await ownDirectory(directory, account)
  return directory
}

/**
 * Creates the directory for `account` alone, if it is missing.
 *
 * @throws when another user owns it: below a world-writable directory, the name could have been taken.
 */
export async function ownDirectory(directory: string, { uid, gid }: Account): Promise<void> {
  await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (isWindows) return
  const found = await lstat(directory)
  const ours = found.uid === uid || found.uid === process.getuid?.()
  if (!found.isDirectory() || !ours) {
    const remedy = `start Storeferry as that user, or give it to uid ${uid}`
    throw new Error(`${directory} is not a directory of PostgreSQL's user but belongs to uid ${found.uid}; ${remedy}.`)
  }
  if (found.uid !== uid) await chown(directory, uid, gid)
  await chmod(directory, 0o700)
}
