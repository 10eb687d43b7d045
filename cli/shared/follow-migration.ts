import { Presets, SingleBar } from 'cli-progress'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { type CommandLine, print } from './command-line.ts'
import { formatDuration } from './duration.ts'
import type { ServiceClient } from './service-client.ts'
import { formatTable } from './table.ts'

/** A poll costs the service one indexed read; slower polling would look frozen. */
const pollEveryMs = 500
/** Without a terminal, every change would be a line in a log. */
const lineEveryMs = 10_000

/**
 * Shows a migration's progress until it ends or is paused.
 *
 * @returns the final detail.
 */
export async function followMigration(
  commandLine: CommandLine,
  client: ServiceClient,
  id: string,
): Promise<MigrationDetail> {
  const display = commandLine.output.isTTY ? openBar(commandLine) : openLines(commandLine)
  try {
    for (;;) {
      const detail = await client.get<MigrationDetail>(`/v2/migrations/${encodeURIComponent(id)}`)
      const moving = detail.status === 'queued' || detail.status === 'in_progress'
      display.show(detail, moving)
      if (!moving) return detail
      await commandLine.clock.sleep(pollEveryMs, commandLine.signal)
    }
  } finally {
    display.close()
  }
}

interface Display {
  show(detail: MigrationDetail, moving: boolean): void
  close(): void
}

function openBar(commandLine: CommandLine): Display {
  const format = '{bar} {percentage}% | {phase} | {items} | {rate} | {left}'
  // The library's type wants a Node stream; on a terminal, ours is standard output.
  const stream = commandLine.output as NodeJS.WriteStream
  const bar = new SingleBar({ format, stream, hideCursor: true, clearOnComplete: false }, Presets.shades_classic)
  let open = false
  return {
    show(detail) {
      if (!open) bar.start(100, 0, parts(detail))
      open = true
      bar.update(Math.floor(detail.progress.percent), parts(detail))
    },
    close: () => bar.stop(),
  }
}

function openLines(commandLine: CommandLine): Display {
  let lastPhase: string | undefined
  let lastAtMs = Number.NEGATIVE_INFINITY
  return {
    show(detail, moving) {
      const nowMs = commandLine.clock.monotonicMs()
      const { phase, percent } = detail.progress
      if (moving && phase === lastPhase && nowMs - lastAtMs < lineEveryMs) return
      lastPhase = phase
      lastAtMs = nowMs
      const { items, rate, left, phase: name } = parts(detail)
      print(commandLine, `${percent.toFixed(1).padStart(5)}%  ${name}, ${items}, ${rate}, ${left}`)
    },
    close: () => undefined,
  }
}

function parts(detail: MigrationDetail) {
  const { progress, status } = detail
  const expected = detail.phases
    .flatMap((phase) => phase.components)
    .reduce((sum, component) => sum + component.total, 0)
  const label = detail.phases.find((phase) => phase.key === progress.phase)?.label
  return {
    phase: status === 'in_progress' ? (label ?? 'starting') : status.replace('_', ' '),
    items: `${progress.done} of ${Math.max(expected, progress.done)} items`,
    rate: `${progress.ratePerSec.toFixed(1)} items/s`,
    left: detail.forecast ? `${formatDuration(progress.overallEtaSeconds)} left` : 'time left not known yet',
  }
}

/** Prints the result of a followed migration: summary, items by phase, and what to do next. */
export function printEnd(commandLine: CommandLine, detail: MigrationDetail): void {
  print(commandLine, '')
  print(commandLine, phaseTable(detail))
  print(commandLine, '')
  print(commandLine, detail.summaryLine)
  const next = nextStep(detail)
  if (next) print(commandLine, next)
}

function nextStep({ status, failuresOpen, requestId }: MigrationDetail): string | undefined {
  if (status === 'paused') return `Paused. Continue with: storeferry resume ${requestId}`
  if (failuresOpen > 0) return `${failuresOpen} open. See: storeferry issues ${requestId}`
  return undefined
}

/** On the wire, a component's created and updated items are one number, `success`. */
export function phaseTable(detail: MigrationDetail): string {
  const header = ['phase', 'component', 'total', 'written', 'matched', 'skipped', 'failed', 'pruned']
  const rows = detail.phases.flatMap((phase) =>
    phase.components.map((component) => [
      phase.label,
      component.label,
      component.total,
      component.success,
      component.matched,
      component.skipped,
      component.failed,
      component.pruned,
    ]),
  )
  return formatTable(header, rows)
}

/** For scripts: 0 completed, 1 failed or with open failures, 2 paused, 3 cancelled. */
export function exitCodeOf({ status }: Pick<MigrationDetail, 'status'>): number {
  if (status === 'completed') return 0
  if (status === 'paused') return 2
  return status === 'cancelled' ? 3 : 1
}
