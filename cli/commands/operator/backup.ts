import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type CommandLine, print } from '../../shared/command-line.ts'
import { counted } from '../../shared/numbers.ts'
import { administer, refuseSecondDatabase } from './administer.ts'

/** `backup` and `restore`: the whole database in one file, without the key that opens its secrets. */
export function addBackup(program: Command, commandLine: CommandLine): void {
  program
    .command('backup')
    .description('write the database to a new file, without the master key')
    .argument('<file>', 'a file that does not exist yet')
    .addHelpText(
      'after',
      `
The service may be running. Run it with the same STOREFERRY_DATA or DATABASE_URL as "storeferry start".

Example:
  storeferry backup /backups/storeferry-2027-01-31.backup`,
    )
    .action((file: string) => backup(commandLine, file))
  program
    .command('restore')
    .description('fill an empty database from a backup; all sessions and tokens end')
    .argument('<file>', 'what "storeferry backup" wrote')
    .addHelpText(
      'after',
      `
The master key is not in the backup: copy encryption.key into the new STOREFERRY_DATA, or set STOREFERRY_KEY.

Example:
  STOREFERRY_DATA=/srv/storeferry storeferry restore /backups/storeferry-2027-01-31.backup`,
    )
    .action((file: string) => restore(commandLine, file))
}

async function backup(commandLine: CommandLine, file: string): Promise<void> {
  await refuseSecondDatabase(commandLine, 'where nothing was started yet, there is nothing to back up')
  const { version, signal } = commandLine
  await administer(commandLine, async (administration) => {
    const { rows, tables } = await administration.backup(file, { version, signal })
    const { size } = await stat(file)
    print(commandLine, `${file} has ${rows} rows of ${tables} tables in ${size} bytes, readable by this user only.`)
  })
  print(commandLine, `The master key is not in it: keep a copy of ${keyLocation(commandLine)} somewhere else.`)
  print(commandLine, 'Without the key, a restored database does not open.')
}

async function restore(commandLine: CommandLine, file: string): Promise<void> {
  await refuseNewKey(commandLine)
  // Before a database is made for it.
  await stat(file)
  await administer(commandLine, async (administration) => {
    const { rows, backedUpAt, paused } = await administration.restore(file)
    print(commandLine, `${rows} rows are restored, as they were at ${backedUpAt.toISOString()}.`)
    if (paused > 0)
      print(
        commandLine,
        `${counted(paused, 'migration')} queued or in progress at that time: paused now. Look at the stores before you resume.`,
      )
  })
  print(commandLine, 'Everyone signs in again: sessions, tokens, connected assistants and links from before are void.')
  print(
    commandLine,
    'Whatever was changed or revoked after the backup is as it was then: check members, API credentials, passwords and store tokens.',
  )
}

function keyLocation(commandLine: CommandLine): string {
  const { key, dataDirectory } = commandLine.config()
  return key === undefined ? join(dataDirectory, 'encryption.key') : 'STOREFERRY_KEY'
}

/** In a new data directory a start would generate a key, which cannot open anything in the backup. */
async function refuseNewKey(commandLine: CommandLine): Promise<void> {
  const { key, databaseUrl, dataDirectory } = commandLine.config()
  if (key !== undefined || databaseUrl !== undefined) return
  const names = await readdir(dataDirectory).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  if (names.includes('encryption.key')) return
  throw new Error(
    `The backup does not contain the master key, and there is none in ${dataDirectory}: copy encryption.key of the backed-up service there (mode 600), or set STOREFERRY_KEY, then run this again.`,
  )
}
