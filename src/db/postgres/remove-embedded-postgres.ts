import { rm } from 'node:fs/promises'
import { chooseHome, postgresAccount, prepareSocketDirectory } from './postgres-files.ts'

/** Deletes a stopped server's data, including files outside its data directory (see `chooseHome`). */
export async function removeEmbeddedPostgres(dataDirectory: string): Promise<void> {
  const account = postgresAccount()
  const home = await chooseHome(dataDirectory, account, { warn: () => undefined })
  const directories = [await prepareSocketDirectory(home, account), home, dataDirectory]
  for (const directory of directories) await rm(directory, { recursive: true, force: true })
}
