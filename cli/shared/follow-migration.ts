import { SingleBar } from 'cli-progress'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { type CommandLine, print, widthOf } from './command-line.ts'
import { formatDuration } from './duration.ts'
import { counted } from './numbers.ts'
import { type ProgressParts, progressLine } from './progress-line.ts'
import { mayPass, migrationPath, type ServiceClient } from './service-client.ts'
import { formatTable } from './table.ts'

/** A poll costs the service one indexed read; less frequent polling would look frozen. */
const pollEveryMs = 500
/** Without a terminal, every change would be a line in a log. */
const lineEveryMs = 10_000
/** Longer than a restart of the service takes. */
const patienceMs = 120_000
const retryEveryMs = 2_000
/** For a terminal that does not report its width. */
const usualWidth = 80

interface Following {
  /** Shows nothing, for `--json`. */
  quiet?: boolean
  /** The service ends with this command, as in the demo, and the migration with it. */
  endsWithUs?: boolean
}

/**
 * Shows a migration's progress until it ends or is paused.
 *
 * @returns the final detail
 */
export async function followMigration(
  commandLine: CommandLine,
  client: ServiceClient,
  id: string,
  { quiet = false, endsWithUs = false }: Following = {},
): Promise<MigrationDetail> {
  try {
    return await follow(commandLine, client, id, openDisplay(commandLine, quiet))
  } catch (error) {
    // Who pressed Ctrl-C may think that it has ended the migration.
    if (commandLine.signal.aborted && !quiet && !endsWithUs)
      print(commandLine, `\nIt goes on. Follow it: storeferry watch ${id}. Stop it: storeferry pause ${id}`)
    throw error
  }
}

async function follow(
  commandLine: CommandLine,
  client: ServiceClient,
  id: string,
  display: Display,
): Promise<MigrationDetail> {
  try {
    for (;;) {
      const detail = await readThrough(commandLine, () => client.get<MigrationDetail>(migrationPath(id)))
      const moving = detail.status === 'queued' || detail.status === 'in_progress'
      display.show(detail, moving)
      if (!moving) return detail
      await commandLine.clock.sleep(pollEveryMs, commandLine.signal)
    }
  } finally {
    display.close()
  }
}

/** Keeps following while the service restarts: the migration continues in the meantime. */
async function readThrough<Answer>({ clock, signal }: CommandLine, read: () => Promise<Answer>): Promise<Answer> {
  for (const startMs = clock.monotonicMs(); ; ) {
    try {
      return await read()
    } catch (error) {
      if (!mayPass(error) || clock.monotonicMs() - startMs >= patienceMs) throw error
      await clock.sleep(retryEveryMs, signal)
    }
  }
}

interface Display {
  show(detail: MigrationDetail, moving: boolean): void
  close(): void
}

function openDisplay(commandLine: CommandLine, quiet: boolean): Display {
  if (quiet) return { show: () => undefined, close: () => undefined }
  return commandLine.output.isTTY ? openBar(commandLine) : openLines(commandLine)
}

function openBar(commandLine: CommandLine): Display {
  // The library's type requires a Node stream; on a terminal, ours is standard output.
  const stream = commandLine.output as NodeJS.WriteStream
  const format = (_options: unknown, _params: unknown, payload: ProgressParts) =>
    progressLine(payload, widthOf(commandLine) ?? usualWidth)
  const bar = new SingleBar({ format, stream, hideCursor: true, clearOnComplete: false })
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
      const { phase } = detail.progress
      if (moving && phase === lastPhase && nowMs - lastAtMs < lineEveryMs) return
      lastPhase = phase
      lastAtMs = nowMs
      print(commandLine, progressText(detail))
    },
    close: () => undefined,
  }
}

/** For logs, and for people who look only once. */
export function progressText(detail: MigrationDetail): string {
  const { percent, phase, items, rate, left } = parts(detail)
  return `${percent.toFixed(1).padStart(5)}%  ${phase}, ${items}, ${rate}, ${left}`
}

function parts(detail: MigrationDetail): ProgressParts {
  const { progress, status } = detail
  const expected = detail.phases
    .flatMap((phase) => phase.components)
    .reduce((sum, component) => sum + component.total, 0)
  const label = detail.phases.find((phase) => phase.key === progress.phase)?.label
  const doing = detail.forecast?.basis === 'fix' ? 'trying again what failed' : (label ?? 'starting')
  return {
    percent: progress.percent,
    phase: status === 'in_progress' ? doing : status.replace('_', ' '),
    items: `${progress.done} of ${counted(Math.max(expected, progress.done), 'item')}`,
    rate: `${progress.ratePerSec.toFixed(1)} items/s`,
    left: detail.forecast ? `${formatDuration(progress.overallEtaSeconds)} left` : 'time left not known yet',
  }
}

/** Prints the result of a followed migration: summary, items by phase, and what to do next. */
export function printEnd(commandLine: CommandLine, detail: MigrationDetail): void {
  print(commandLine, '')
  print(commandLine, phaseTable(detail, widthOf(commandLine)))
  print(commandLine, '')
  print(commandLine, detail.summaryLine)
  const next = nextStep(detail)
  if (next) print(commandLine, next)
  for (const line of warningLines(detail)) print(commandLine, line)
}

/** None of them fails a migration, so nothing else would mention them. */
export function warningLines({ counters: { warnings }, requestId }: MigrationDetail): string[] {
  return warnings === 0
    ? []
    : [`${counted(warnings, 'warning')}. See: storeferry issues ${requestId} --severity warning`]
}

function nextStep({ mode, status, failuresOpen, requestId }: MigrationDetail): string | undefined {
  if (status === 'paused')
    return `Paused. See why: storeferry status ${requestId}. Continue: storeferry resume ${requestId}`
  if (mode === 'dry-run') return `What it would do: storeferry plan ${requestId}`
  return openLine({ mode, failuresOpen, requestId })
}

/** What a person has to look at. A comparison fails nothing. */
export function openLine({
  mode,
  failuresOpen,
  requestId,
}: Pick<MigrationDetail, 'mode' | 'failuresOpen' | 'requestId'>): string | undefined {
  if (failuresOpen === 0) return undefined
  const [list, word] = mode === 'verify' ? ['differences', 'difference'] : ['issues', 'failure']
  const open = counted(failuresOpen, `${word} is`, `${word}s are`)
  return `${open} open. See: storeferry ${list} ${requestId}`
}

/** In the API, a component's created and updated items are one number, `success`. The name of its phase is the first to go. */
export function phaseTable(detail: MigrationDetail, width?: number): string {
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
  return formatTable(header, rows, { width, cut: ['component'], drop: ['phase', 'pruned', 'skipped'] })
}
