import type { Command } from 'commander'
import type { z } from 'zod'
import type { pricedForecast } from '../../src/contract/forecast.ts'
import { type CommandLine, print, widthOf } from '../shared/command-line.ts'
import { formatDuration } from '../shared/duration.ts'
import { printJson } from '../shared/print-json.ts'
import { type ScopeOptions, scopeOf, withScope } from '../shared/scope-options.ts'
import { overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'
import { formatTable } from '../shared/table.ts'

type Forecast = z.infer<typeof pricedForecast>

export function addForecast(program: Command, commandLine: CommandLine): void {
  withScope(overService(program, 'forecast', 'how much a migration would copy, and how long it takes; starts nothing'))
    .addHelpText(
      'after',
      `
It takes the options of migrate that say what to copy, and reads the stores for 10 s at most.

Example:
  storeferry forecast --source abc123 --destination def456 --strategy update`,
    )
    .action((options: ScopeOptions & ServiceOptions) => showForecast(commandLine, options))
}

async function showForecast(commandLine: CommandLine, options: ScopeOptions & ServiceOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const forecast = await client.post<Forecast>('/v2/forecast', scopeOf(options))
  if (options.json) return printJson(commandLine, forecast)
  print(commandLine, tableOf(forecast, widthOf(commandLine)))
  const { etaSeconds, tier, memMB, outlook, fallbackReason } = forecast
  print(commandLine, `\nAbout ${formatDuration(etaSeconds)}; a ${tier} migration, with ${memMB} MiB of memory.`)
  if (outlook)
    print(
      commandLine,
      `It would create ${outlook.created}, compare or complete ${outlook.compared}, leave ${outlook.kept} alone and delete ${outlook.deleted} (estimates, with their parts).`,
    )
  if (fallbackReason) print(commandLine, `Not everything was read, so defaults were used: ${fallbackReason}`)
}

function tableOf({ counts, estimated }: Forecast, width: number | undefined): string {
  const rows = Object.entries(counts).map(([component, count]) => [
    component,
    count,
    estimated.includes(component) ? 'estimate' : 'counted',
  ])
  return formatTable(['component', 'items', 'how'], rows, { width, cut: ['component'] })
}
