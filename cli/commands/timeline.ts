import type { Command } from 'commander'
import { type CommandLine, print, widthOf } from '../shared/command-line.ts'
import { printJson } from '../shared/print-json.ts'
import { migrationPath } from '../shared/service-client.ts'
import { migrationId, overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'
import { formatTable } from '../shared/table.ts'

interface Timeline {
  events: { at: string; event: string; phase: string | null; reason: string | null; by: string | null }[]
}

export function addTimeline(program: Command, commandLine: CommandLine): void {
  overService(program, 'timeline', 'what happened to a migration, in order, and who asked for it')
    .argument(...migrationId)
    .addHelpText('after', '\nExample:\n  storeferry timeline 019a2c1e-...')
    .action((id: string, options: ServiceOptions) => showTimeline(commandLine, id, options))
}

async function showTimeline(commandLine: CommandLine, id: string, options: ServiceOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const { events } = await client.get<Timeline>(`${migrationPath(id)}/timeline`)
  if (options.json) return printJson(commandLine, events)
  const rows = events.map(({ at, event, phase, reason, by }) => [at, event.replaceAll('_', ' '), phase, by, reason])
  const fit = { width: widthOf(commandLine), cut: ['phase', 'by', 'reason'], drop: ['reason', 'by'] }
  print(commandLine, formatTable(['at', 'event', 'phase', 'by', 'reason'], rows, fit))
}
