import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'

/**
 * What a PostgreSQL server says about itself in its data directory. Source: PostgreSQL documentation, "Database File
 * Layout".
 */
export interface Postmaster {
  pid: number
  port: number
  socketDirectory: string
}

/** What identifies a process as our PostgreSQL. */
export interface PostmasterIdentity {
  /** The data directory. */
  directory: string
  uid: number
  /** The programs it may be running: the package's, or copies of it. */
  executables: string[]
}

export class ForeignPostmaster extends Error {}

/**
 * The PostgreSQL that is running on this data directory, if any.
 *
 * After a reboot, a process id alone proves nothing: the process must also have this directory as its working
 * directory, as PostgreSQL always does.
 *
 * @returns undefined if none is alive; a postmaster.pid may still be there.
 * @throws ForeignPostmaster when the process in the directory is not our program or not our user (S21).
 */
export function runningPostmaster(identity: PostmasterIdentity): Postmaster | undefined {
  const written = readPostmasterFile(identity.directory)
  if (!written || !isAlive(written.pid)) return undefined
  if (process.platform !== 'linux') return written
  const worksIn = readLink(`/proc/${written.pid}/cwd`)
  if (worksIn !== identity.directory) return undefined
  // A program that an update replaced on disk is still the one we started.
  const executable = readLink(`/proc/${written.pid}/exe`)?.replace(/ \(deleted\)$/, '')
  const owner = statSync(`/proc/${written.pid}`, { throwIfNoEntry: false })?.uid
  // The process ended between the two reads.
  if (executable === undefined || owner === undefined) return undefined
  verifyIdentity(written.pid, executable, owner, identity)
  return written
}

function verifyIdentity(pid: number, executable: string, owner: number, identity: PostmasterIdentity): void {
  const { directory, uid, executables } = identity
  if (executables.includes(executable) && owner === uid) return
  if (basename(executable) === 'postgres' && owner === uid)
    throw new ForeignPostmaster(
      `Process ${pid} (${executable}) works in ${directory} and was started by another installation of Storeferry. ` +
        'Run this command from that installation, or stop that one first.',
    )
  throw new ForeignPostmaster(
    `Process ${pid} (${executable}, uid ${owner}) works in ${directory} ` +
      'but is not the PostgreSQL that Storeferry starts; end it, then start again.',
  )
}

export function readPostmasterFile(directory: string): Postmaster | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
  const pid = Number(lines[0])
  // The file is shorter while it is being written; 0 or a negative id would address process groups.
  if (!Number.isInteger(pid) || pid <= 1) return undefined
  return { pid, port: Number(lines[3]), socketDirectory: lines[4] ?? '' }
}

/**
 * After a reboot the process id in the file may belong to any process, and PostgreSQL then refuses to start.
 *
 * The file also names the shared memory by which PostgreSQL knows that children of a killed server are still writing,
 * so it is removed only if no process works in the directory.
 */
export async function removeStalePostmasterFile(directory: string): Promise<void> {
  const written = readPostmasterFile(directory)
  if (process.platform !== 'linux' || !written || !isAlive(written.pid)) return
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  if (processes.some((pid) => readLink(`/proc/${pid}/cwd`) === directory)) return
  await rm(join(directory, 'postmaster.pid'), { force: true })
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
