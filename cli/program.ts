import { Command, CommanderError } from 'commander'
import { ServiceError } from '../src/contract/service-error.ts'
import { addAdmin } from './commands/admin.ts'
import { addControls } from './commands/control.ts'
import { addDemo } from './commands/demo.ts'
import { addDismiss } from './commands/dismiss.ts'
import { addIssues } from './commands/issues.ts'
import { addLogin } from './commands/login.ts'
import { addMigrate } from './commands/migrate.ts'
import { addProbe } from './commands/probe.ts'
import { addSandbox } from './commands/sandbox.ts'
import { addService } from './commands/service.ts'
import { addWatch } from './commands/watch.ts'
import type { CommandLine } from './shared/command-line.ts'

/** All commands, in the order of the help text. */
const commands = [
  addService,
  addAdmin,
  addLogin,
  addMigrate,
  addWatch,
  addControls,
  addIssues,
  addDismiss,
  addProbe,
  addSandbox,
  addDemo,
]

/**
 * Runs one command. The edge of the command line: every error becomes one line on standard error and exit code 1.
 *
 * @param argv without the program's name.
 */
export async function runCommand(
  argv: string[],
  commandLine: CommandLine,
  errors: NodeJS.WritableStream,
): Promise<void> {
  const program = new Command('storeferry')
    .description('Copies a BigCommerce store to another store of the same organisation, and proves the copy is right.')
    .version(commandLine.version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => commandLine.output.write(text), writeErr: (text) => errors.write(text) })
  for (const add of commands) add(program, commandLine)
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    // Commander has already printed its message.
    if (error instanceof CommanderError) return commandLine.exitWith(error.exitCode)
    if (commandLine.signal.aborted) return commandLine.exitWith(130)
    errors.write(`storeferry: ${wordsOf(error)}\n`)
    commandLine.exitWith(1)
  }
}

/** The error message, with the messages of refused fields. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof ServiceError) || !error.errors) return error.message || error.name
  return Object.entries(error.errors)
    .map(([field, messages]) => `${field}: ${messages.join(' ')}`)
    .join('; ')
}
