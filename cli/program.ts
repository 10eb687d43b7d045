import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Command, CommanderError } from 'commander'
import { ServiceError } from '../src/contract/service-error.ts'
import { addCompare } from './commands/compare.ts'
import { addCompletion } from './commands/completion.ts'
import { addConfirm } from './commands/confirm.ts'
import { addControls } from './commands/control.ts'
import { addCounts } from './commands/counts.ts'
import { addEntities } from './commands/entities.ts'
import { addForecast } from './commands/forecast.ts'
import { addHistory } from './commands/history.ts'
import { addList } from './commands/list.ts'
import { addLogin } from './commands/login.ts'
import { addMigrate } from './commands/migrate.ts'
import { addAdmin } from './commands/operator/admin.ts'
import { addBackup } from './commands/operator/backup.ts'
import { addDemo } from './commands/operator/demo.ts'
import { addErase } from './commands/operator/erase.ts'
import { addProbe } from './commands/operator/probe.ts'
import { addReindex } from './commands/operator/reindex.ts'
import { addSandbox } from './commands/operator/sandbox.ts'
import { addService } from './commands/operator/service.ts'
import { addPlan } from './commands/plan.ts'
import { addPreflight } from './commands/preflight.ts'
import { addRename } from './commands/rename.ts'
import { addDifferences } from './commands/results/differences.ts'
import { addDismiss, addReopen } from './commands/results/dismiss.ts'
import { addExport } from './commands/results/export.ts'
import { addIssues } from './commands/results/issues.ts'
import { addItems } from './commands/results/items.ts'
import { addSignOff } from './commands/results/sign-off.ts'
import { addRetry } from './commands/retry.ts'
import { addStatus } from './commands/status.ts'
import { addStores } from './commands/stores.ts'
import { addTimeline } from './commands/timeline.ts'
import { addVerify } from './commands/verify.ts'
import { addWatch } from './commands/watch.ts'
import { addWebhooks } from './commands/webhooks.ts'
import { type CommandLine, widthOf } from './shared/command-line.ts'
import { exitCodeMeanings, exitCodes } from './shared/exit-codes.ts'

/** All commands, in the order of the help text. */
const commands = [
  addService,
  addAdmin,
  addReindex,
  addBackup,
  addErase,
  addLogin,
  addStores,
  addEntities,
  addItems,
  addCounts,
  addForecast,
  addPreflight,
  addMigrate,
  addList,
  addStatus,
  addRename,
  addTimeline,
  addWatch,
  addControls,
  addPlan,
  addConfirm,
  addIssues,
  addRetry,
  addDismiss,
  addReopen,
  addVerify,
  addDifferences,
  addCompare,
  addHistory,
  addSignOff,
  addExport,
  addWebhooks,
  addProbe,
  addSandbox,
  addDemo,
  addCompletion,
]

/**
 * Runs one command. The edge of the command line: every error becomes one line on standard error and an exit code from
 * `shared/exit-codes.ts`.
 *
 * @param argv without the program's name
 */
export async function runCommand(argv: string[], given: CommandLine, errors: NodeJS.WritableStream): Promise<void> {
  const closed = closingOf([given.output, errors], (error) => {
    given.exitWith(exitCodeWithout(error))
    if (!isUnread(error))
      errors.write(
        `storeferry: The output cannot be written (${error.code}): make room for it, then run the command again.\n`,
      )
  })
  const commandLine = { ...given, signal: AbortSignal.any([given.signal, closed]) }
  try {
    const program = programOf(commandLine, errors)
    await program.parseAsync(toUnknown(argv, program), { from: 'user' })
  } catch (error) {
    if (closed.aborted) return commandLine.exitWith(exitCodeWithout(closed.reason))
    // Commander has already printed its message.
    if (error instanceof CommanderError) return commandLine.exitWith(error.exitCode)
    if (commandLine.signal.aborted || isCtrlC(error)) return commandLine.exitWith(exitCodes.interrupted)
    errors.write(`storeferry: ${wordsOf(error)}\n`)
    commandLine.exitWith(exitCodes.failed)
  }
}

/** Every command with its help. */
export function programOf(commandLine: CommandLine, errors: NodeJS.WritableStream): Command {
  const program = new Command('storeferry')
    .description('Copies a BigCommerce store to another store of the same organisation, and proves the copy is right.')
    .version(commandLine.version)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => commandLine.output.write(text),
      writeErr: (text) => errors.write(text),
      // Commander then writes where the help is, on the same line.
      outputError: (text, write) => write(`storeferry: ${usageError(text)} `),
      // Without a terminal, Commander's usual width would break long lines for no reason.
      getOutHelpWidth: () => widthOf(commandLine) ?? 100,
    })
    .addHelpText('after', `\nExit codes:\n${exitCodeLines()}\n\n"storeferry <command> --help" shows an example.`)
  for (const add of commands) add(program, commandLine)
  pointToHelp(program, 'storeferry')
  return program
}

/** Asked for the help of a command that does not exist, Commander would show that of all commands, without a word about it. */
function toUnknown([first, ...rest]: string[], { commands }: Command): string[] {
  if (first === undefined) return []
  const child = commands.find((command) => command.name() === first)
  if (child) return [first, ...toUnknown(rest, child)]
  if (first.startsWith('-') || commands.length === 0) return [first, ...rest]
  const asked = first === 'help' ? rest[0] : first
  return asked === undefined || commands.some((command) => command.name() === asked) ? [first, ...rest] : [asked]
}

/** Without it, what a command was called without would not be found by those who do not know `--help`. */
function pointToHelp(command: Command, path: string): void {
  command.showHelpAfterError(`See "${path} --help".`)
  for (const child of command.commands) pointToHelp(child, `${path} ${child.name()}`)
}

/** A message of Commander, such as "error: missing required argument 'id'", in the form of ours. */
function usageError(text: string): string {
  const message = oneLine(text.replace(/^error: /, '').trim())
  return /[.?!)]$/.test(message) ? message : `${message}.`
}

function exitCodeLines(): string {
  return Object.entries(exitCodes)
    .map(([name, code]) => `  ${String(code).padEnd(3)}  ${exitCodeMeanings[name as keyof typeof exitCodes]}`)
    .join('\n')
}

/** Aborts when an output is no longer read or cannot be written; otherwise Node would end with a stack trace. */
function closingOf(outputs: NodeJS.WritableStream[], onClosed: (error: NodeJS.ErrnoException) => void): AbortSignal {
  const closed = new AbortController()
  const close = (error: NodeJS.ErrnoException) => {
    if (closed.signal.aborted) return
    closed.abort(error)
    onClosed(error)
  }
  for (const output of outputs) output.on('error', close)
  return closed.signal
}

/** While a question is asked on the terminal, Node's readline takes Ctrl-C, and no signal comes. */
function isCtrlC(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError' && error.message.endsWith('Ctrl+C')
}

/** Windows says EOF. */
function isUnread({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EOF'
}

/** A full disk is no reader that has seen enough: what it took may be taken for all of it. */
function exitCodeWithout(error: NodeJS.ErrnoException): number {
  return isUnread(error) ? exitCodes.outputClosed : exitCodes.failed
}

/** The error message, with the messages of invalid fields and the remedy for an unusable file. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ServiceError && error.errors)
    return Object.entries(error.errors)
      .map(([field, messages]) => `${field}: ${messages.join(' ')}`)
      .join('; ')
  const { code, path } = error as NodeJS.ErrnoException
  // An error of writing does not name the file.
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `The disk is full (${code}): make room, then run the command again.`
  // An error of reading does not name the file, either.
  if (code === 'EISDIR' && path === undefined) return 'A directory was named instead of a file; name a file.'
  if (code === 'ENOENT' && path !== undefined && !existsSync(dirname(path)))
    return `There is no directory ${dirname(path)}; check the path, or make the directory first.`
  const remedy = code && path && fileRemedies[code]
  return remedy ? `${path} ${remedy}` : oneLine(error.message || error.name)
}

const fileRemedies: Record<string, string> = {
  ENOENT: 'does not exist; check the path.',
  EACCES: 'may not be used by this user; change its permissions or run the command as its owner.',
  EISDIR: 'is a directory; name a file.',
  EEXIST: 'exists already; name another file or remove it first.',
  ENOTDIR: 'leads through something that is no directory; check the path.',
}

/** A message of another program may have several lines, ending in a stack trace. */
function oneLine(message: string): string {
  return message.replaceAll(/\s*\n\s*/g, ' ')
}
