import type { MigrationDetail } from '../../src/contract/migration.ts'
import { type CommandLine, print } from './command-line.ts'
import { followMigration, printEnd } from './follow-migration.ts'
import { migrationPath, type ServiceClient } from './service-client.ts'
import { startMigration } from './start-migration.ts'

/** Starts a comparison over the scope of a migration. */
export async function startComparison(
  commandLine: CommandLine,
  client: ServiceClient,
  id: string,
  json: boolean,
): Promise<MigrationDetail> {
  const started = await startMigration(client, `${migrationPath(id)}/verify`)
  if (!json) print(commandLine, `Verify ${started.requestId}`)
  return started
}

export async function followComparison(
  commandLine: CommandLine,
  client: ServiceClient,
  { requestId }: MigrationDetail,
  json: boolean,
): Promise<MigrationDetail> {
  const verification = await followMigration(commandLine, client, requestId, { quiet: json })
  if (!json) printEnd(commandLine, verification)
  return verification
}
