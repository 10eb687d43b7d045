import { PlatformError, StoreUnreachableError } from '../../bigcommerce/errors.ts'
import { systemClock } from '../../clock.ts'
import { openDatabase } from '../../db/core/database.ts'
import { createLog } from '../../log.ts'
import type { ChildMessage, HostMessage, StartMessage, WorkMessage } from '../core/messages.ts'
import type { ReadAhead } from '../core/read-ahead.ts'
import type { RunLease } from '../core/run-lease.ts'
import { attemptRun } from './attempt.ts'

/** Database connections of one child: one commits results; the others serve intents, planning and the heartbeat. */
const connections = 8

let lease: RunLease | undefined

process.on('message', (message: HostMessage) => {
  if (message.kind === 'stop') lease?.requestStop('drain')
  else void work(message)
})
// The host is gone, and its successor must not find us still writing (A5).
process.on('disconnect', () => process.exit(1))
// Ctrl-C and service managers reach all processes of a group: the host has it, too, and asks us to stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

async function work(start: StartMessage): Promise<void> {
  const log = createLog({ role: 'run' })
  const database = openDatabase(start.databaseUrl, { connections, name: 'storeferry run' })
  const message = await attemptRun(start, {
    database,
    clock: systemClock,
    leaseClock: systemClock,
    log,
    onLease: (runLease) => {
      lease = runLease
    },
    onWork: (work) => report({ kind: 'worked', work }),
    onSecond: (runLease, readAhead) => watchMemory(start.memMiB, runLease, readAhead),
  }).catch((error: unknown): ChildMessage => {
    log.error({ err: error, runId: start.run.id }, 'the run stopped on a fault')
    return { kind: 'faulted', reason: reasonOf(error) }
  })
  await database.destroy().catch(() => undefined)
  process.send?.(message, undefined, {}, () => process.exit(message.kind === 'faulted' ? 1 : 0))
}

function report(message: WorkMessage): void {
  // A host that is gone ends this process anyway.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined)
}

/** Shown to merchants, so in our own words only: a database error quotes the values it refused (S22). */
function reasonOf(error: unknown): string {
  const own = error instanceof PlatformError || error instanceof StoreUnreachableError
  if (own) return error.message
  return `An unexpected fault (${error instanceof Error ? error.name : typeof error}).`
}

/** At 85% of its memory, a run reads less far ahead; at 95%, it hands over, to continue with more memory (A6). */
function watchMemory(memMiB: number, runLease: RunLease, readAhead: ReadAhead): void {
  const share = process.memoryUsage.rss() / 1024 / 1024 / memMiB
  if (share > 0.95) runLease.requestStop('memory')
  else if (share > 0.85) readAhead.halve()
}
