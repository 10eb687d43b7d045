import { readdir } from 'node:fs/promises'
import type { CommandAdministration } from '../../../src/command-administration.ts'
import { createLog } from '../../../src/log.ts'
import type { CommandLine } from '../../shared/command-line.ts'

/** Works on the service's database; the service may be running. */
export async function administer(
  commandLine: CommandLine,
  work: (administration: CommandAdministration) => Promise<unknown>,
): Promise<void> {
  const config = commandLine.config()
  const level = commandLine.environment.LOG_LEVEL ? config.logLevel : 'warn'
  // Imported here: commands over HTTP start ten times faster without the service.
  const { openAdministration } = await import('../../../src/command-administration.ts')
  const administration = await openAdministration(
    config,
    createLog({ level, role: 'admin', destination: process.stderr }),
  )
  try {
    await work(administration)
  } finally {
    await administration.close()
  }
}

/**
 * A service with its data elsewhere would never see what was set up here in a new, empty database.
 *
 * @param remedy what else to do if there is no data
 */
export async function refuseSecondDatabase(commandLine: CommandLine, remedy: string): Promise<void> {
  const { databaseUrl, dataDirectory } = commandLine.config()
  if (databaseUrl !== undefined) return
  const names = await readdir(dataDirectory).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  // One of them is enough: the start reports which one is missing.
  if (names.includes('password') || names.includes('encryption.key')) return
  throw new Error(
    `There is no data of a service in ${dataDirectory}. Set STOREFERRY_DATA (or DATABASE_URL) to what "storeferry start" uses and run this as the same user; ${remedy}.`,
  )
}
