import type { MigrationDetail } from '../../src/contract/migration.ts'
import { type CommandLine, print } from './command-line.ts'
import { followMigration, printEnd } from './follow-migration.ts'
import { migrationPath, type ServiceClient } from './service-client.ts'

interface Comparing {
  json: boolean
  /** Gets the comparison as soon as it exists: what follows may fail. */
  onStarted(verification: MigrationDetail): void
}

/** Starts a comparison over the scope of a migration, and follows it. */
export async function compareStores(
  commandLine: CommandLine,
  client: ServiceClient,
  id: string,
  { json, onStarted }: Comparing,
): Promise<MigrationDetail> {
  const started = await client.post<MigrationDetail>(`${migrationPath(id)}/verify`)
  onStarted(started)
  if (!json) print(commandLine, `Verify ${started.requestId}`)
  const verification = await followMigration(commandLine, client, started.requestId, { quiet: json })
  if (!json) printEnd(commandLine, verification)
  return verification
}
