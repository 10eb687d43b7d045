import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../clock.ts'
import { type Account, emptyEnvironment, type PostgresBinaries, runAs } from './postgres-binaries.ts'

export interface SupervisorLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** One of our PostgreSQL servers: its files, and how to reach it. */
export interface Cluster {
  dataDirectory: string
  /** Where PostgreSQL's own files are: `dataDirectory`, or elsewhere if its user cannot enter that. */
  home: string
  directory: string
  socketDirectory: string
  account: Account
  binaries: PostgresBinaries
  password: string
  port: number
  log: SupervisorLog
  clock: Clock
}

/** Superuser of every cluster. */
export const user = 'storeferry'

/** Detached, so that Ctrl-C in a terminal reaches only us and we stop the server once our own work is done. */
export function launch(cluster: Cluster, program: string, args: string[]): ChildProcess {
  const log = openSync(logPath(cluster), 'a', 0o600)
  const umask = process.umask(0o077)
  try {
    const stdio: ['ignore', number, number] = ['ignore', log, log]
    const options = {
      ...runAs(cluster.account),
      env: emptyEnvironment(),
      cwd: cluster.home,
      detached: true,
      windowsHide: true,
      stdio,
    }
    return spawn(program, args, options)
  } finally {
    process.umask(umask)
    closeSync(log)
  }
}

function logPath({ dataDirectory }: Cluster): string {
  return join(dataDirectory, 'server.log')
}

/** Truncates a log beyond 10 MiB: it says when the server started and died, not what it did. */
export async function shortenLog(cluster: Cluster): Promise<void> {
  const size = await stat(logPath(cluster)).then(
    (found) => found.size,
    () => 0,
  )
  if (size > 10 * 1024 * 1024) await truncate(logPath(cluster))
}

export function lastLogLines(cluster: Cluster): string {
  const lines = readFileSync(logPath(cluster), 'utf8').trimEnd().split('\n')
  return `Its last log lines, from ${logPath(cluster)}:\n${lines.slice(-5).join('\n')}`
}
