import type { Command } from 'commander'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { isLive } from '../../src/contract/status.ts'
import { type CommandLine, print } from '../shared/command-line.ts'
import { followComparison, startComparison } from '../shared/compare-stores.ts'
import { exitCodeOf, moreSerious } from '../shared/exit-codes.ts'
import { followMigration, printEnd } from '../shared/follow-migration.ts'
import { share, wholeNumber } from '../shared/numbers.ts'
import { printJson } from '../shared/print-json.ts'
import { type ScopeOptions, scopeOf, withScope } from '../shared/scope-options.ts'
import { Refusal, type ServiceClient } from '../shared/service-client.ts'
import { overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'
import { startMigration } from '../shared/start-migration.ts'

interface MigrateOptions extends ScopeOptions, ServiceOptions {
  autoHeal: boolean
  muteMails: boolean
  deepImages?: boolean
  pruneLimitItems?: number
  pruneLimitPercent?: number
  label?: string
  watch?: boolean
  verify?: boolean
}

export function addMigrate(program: Command, commandLine: CommandLine): void {
  const description = 'copy one store to another; without --watch or --verify it prints the id and returns'
  withScope(overService(program, 'migrate', description))
    .option(
      '--prune-limit-items <number>',
      'with --strategy replace: ask before it deletes more items than this',
      wholeNumber,
    )
    .option(
      '--prune-limit-percent <number>',
      'with --strategy replace: ask before it deletes more than this share of a component',
      share,
    )
    .option('--no-auto-heal', 'do not retry what failed before it ends')
    .option('--no-mute-mails', 'leave the destination’s mails about orders on while orders are copied')
    .option('--deep-images', 'with --mode verify: also compare the sizes of up to 200 pictures')
    .option('--label <text>', 'a label for the migration')
    .option('--watch', 'follow it until it has ended')
    .option('--verify', 'follow it, then compare both stores, also after failures, and follow that')
    .addHelpText(
      'after',
      `
Modes:
  full     copies
  dry-run  plans a copy, item by item, and writes nothing
  verify   compares the stores and writes nothing
  counts   counts the source

Strategies:
  skip     adds what is missing and leaves everything else as it is
  update   also makes items that differ like those of the source
  replace  also deletes catalogue and content that only the destination has; beyond the prune limits, it asks first

Examples:
  storeferry migrate --source abc123 --destination def456 --dry-run --watch
  storeferry migrate --source abc123 --destination def456 --verify
  storeferry migrate --source abc123 --destination def456 --pick products=12,34 --watch`,
    )
    .action((options: MigrateOptions) => migrate(commandLine, options))
}

interface Outcome {
  migration: MigrationDetail
  verification: MigrationDetail | null
}

async function migrate(commandLine: CommandLine, options: MigrateOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const { json = false, label, autoHeal, muteMails, deepImages, pruneLimitItems, pruneLimitPercent } = options
  const settings = { label, autoHeal, muteMails, deepImages, pruneLimitItems, pruneLimitPercent }
  const created = await startMigration(client, '/v2/migrations', { ...scopeOf(options), ...settings })
  if (!options.watch && !options.verify)
    return json ? printJson(commandLine, created) : print(commandLine, created.requestId)
  const outcome: Outcome = { migration: created, verification: null }
  if (!json) return follow(commandLine, client, outcome, options)
  let refusal: object | undefined
  try {
    await follow(commandLine, client, outcome, options)
  } catch (error) {
    if (error instanceof Refusal) refusal = { error: error.code, message: error.message }
    throw error
  } finally {
    // After an error, too: nothing has printed the migration's id yet.
    printJson(commandLine, options.verify ? { ...outcome, refusal } : outcome.migration)
  }
}

/** Keeps what is known so far in the outcome. */
async function follow(
  commandLine: CommandLine,
  client: ServiceClient,
  outcome: Outcome,
  { json = false, verify }: MigrateOptions,
): Promise<void> {
  const { requestId } = outcome.migration
  if (!json) print(commandLine, `Migration ${requestId}`)
  outcome.migration = await followMigration(commandLine, client, requestId, { quiet: json })
  commandLine.exitWith(exitCodeOf(outcome.migration))
  if (!json) printEnd(commandLine, outcome.migration)
  if (verify) await verifyAfter(commandLine, client, outcome, json)
}

/**
 * Compares whatever was copied. A paused migration is not compared, because that would report what is not copied yet.
 */
async function verifyAfter(
  commandLine: CommandLine,
  client: ServiceClient,
  outcome: Outcome,
  json: boolean,
): Promise<void> {
  const { requestId, status } = outcome.migration
  if (isLive(status)) {
    if (!json) print(commandLine, `Not compared while it is ${status}. Later: storeferry verify ${requestId}`)
    return
  }
  outcome.verification = await startComparison(commandLine, client, requestId, json)
  outcome.verification = await followComparison(commandLine, client, outcome.verification, json)
  commandLine.exitWith(moreSerious(exitCodeOf(outcome.migration), exitCodeOf(outcome.verification)))
}
