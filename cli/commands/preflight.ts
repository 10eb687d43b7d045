import type { Command } from 'commander'
import { type CommandLine, print } from '../shared/command-line.ts'
import { exitCodes } from '../shared/exit-codes.ts'
import { counted } from '../shared/numbers.ts'
import { printJson } from '../shared/print-json.ts'
import { printable } from '../shared/printable.ts'
import { type ScopeOptions, scopeOf, withScope } from '../shared/scope-options.ts'
import { overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'

interface Finding {
  code: string
  label: string
  message: string
  remedy: string
}

interface Preflight {
  stops: { code: string; side: 'source' | 'destination'; message: string; remedy: string }[]
  notCopied: Finding[]
  goodToKnow: Finding[]
  destinationBusy: { requestId: string } | null
  destinationLive: { ordersIn30Days: number; domain: string } | null
}

export function addPreflight(program: Command, commandLine: CommandLine): void {
  withScope(
    overService(program, 'preflight', 'what would stop a migration, and what it would leave behind; starts nothing'),
  )
    .addHelpText(
      'after',
      `
It takes the options of migrate that say what to copy. It ends with 1 when something would stop the migration.

Example:
  storeferry preflight --source abc123 --destination def456`,
    )
    .action((options: ScopeOptions & ServiceOptions) => showPreflight(commandLine, options))
}

async function showPreflight(commandLine: CommandLine, options: ScopeOptions & ServiceOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const found = await client.post<Preflight>('/v2/preflight', scopeOf(options))
  if (found.stops.length > 0) commandLine.exitWith(exitCodes.failed)
  if (options.json) return printJson(commandLine, found)
  for (const { side, message, remedy } of found.stops)
    print(commandLine, `stops (${side}): ${printable(message)}\n  ${remedy}`)
  printFindings(commandLine, 'not copied', found.notCopied)
  printFindings(commandLine, 'good to know', found.goodToKnow)
  const { destinationBusy: busy, destinationLive: live } = found
  if (busy) print(commandLine, `The destination is in use by migration ${busy.requestId}; this one would wait.`)
  if (live)
    print(
      commandLine,
      `The destination is a shop at work: ${counted(live.ordersIn30Days, 'order')} in 30 days at ${printable(live.domain)}.`,
    )
  print(commandLine, found.stops.length > 0 ? 'The migration would fail.' : 'Nothing stops the migration.')
}

function printFindings(commandLine: CommandLine, heading: string, findings: Finding[]): void {
  for (const { label, code, message, remedy } of findings)
    print(commandLine, `${heading}: ${label} (${code})\n  ${printable(message)}\n  ${remedy}`)
}
