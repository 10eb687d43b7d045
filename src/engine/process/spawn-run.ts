import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../../child-environment.ts'
import type { Clock } from '../../clock.ts'
import type { WorkDone } from '../../model/work-done.ts'
import type { ChildMessage, HostMessage, StartMessage, WorkMessage } from '../core/messages.ts'

/** How a child ended: with its last message, or without one. */
export type ChildEnd = ChildMessage | { kind: 'died'; reason: string; outOfMemory: boolean }

const childFile = fileURLToPath(
  new URL(`../child/child${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
)
/** Memory that a run needs beside the heap: sockets, buffers and the program itself. */
const besideHeapMiB = 128
/**
 * New space takes three times this. By default Node counts 96 MiB of it against the heap flag, and a run of 256 MiB
 * then spends most of its time collecting garbage (measured: 40 of 70 s). Less would promote objects that die with
 * their page.
 */
const semiSpaceMiB = 8
/** Share of its memory at which a child that does not end by itself is killed (A6). */
const killShare = 1.2

/**
 * Runs in a shell, which then becomes Node: a core dump would hold store tokens (S32), and Node cannot lower the limit
 * that it inherits from the host. Programs that collect dumps through a pipe may ignore the limit, so the filter leaves
 * them no memory to collect.
 */
const withoutDumps = 'ulimit -c 0; { echo 0 > /proc/self/coredump_filter; } 2>/dev/null; exec "$0" "$@"'

/** Forks the process of a run, which then waits for its start message. */
export function forkChild(memMiB: number): ChildProcess {
  const flags = [
    `--max-old-space-size=${Math.max(64, memMiB - besideHeapMiB)}`,
    `--max-semi-space-size=${semiSpaceMiB}`,
  ]
  const throughShell = { execPath: '/bin/sh', execArgv: ['-c', withoutDumps, process.execPath, ...flags] }
  return fork(childFile, [], {
    // The child gets nothing of our environment and writes no diagnostic report, which could hold a token (S20).
    env: childEnvironment,
    ...(process.platform === 'win32' ? { execArgv: flags } : throughShell),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'json',
  })
}

/**
 * Forks the child of a run and waits for it to end.
 *
 * @param stop asks it to record what is on the wire and hand over
 * @param kill ends it at once, because the queue has given the run to another host
 */
export async function runChild(
  start: StartMessage,
  signals: { stop: AbortSignal; kill: AbortSignal; clock: Clock; onWork?(work: WorkDone): void },
): Promise<ChildEnd> {
  const child = forkChild(start.memMiB)
  const say = (message: HostMessage) => child.connected && child.send(message, () => undefined)
  const stop = () => say({ kind: 'stop' })
  const kill = () => child.kill('SIGKILL')
  signals.stop.addEventListener('abort', stop, { once: true })
  signals.kill.addEventListener('abort', kill, { once: true })
  const watching = new AbortController()
  try {
    let last: ChildMessage | undefined
    child.on('message', (message: ChildMessage | WorkMessage) => {
      if (message.kind === 'worked') signals.onWork?.(message.work)
      else last = message
    })
    say(start)
    if (signals.stop.aborted) stop()
    // A child that was killed for its memory needs a larger tier, too (A6).
    let outgrown = false
    const cutDown = () => {
      outgrown = true
      kill()
    }
    void watchMemory(child.pid, start.memMiB, cutDown, signals.clock, watching.signal)
    const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }))
      child.once('error', () => resolve({ code: null, signal: 'spawn failed' }))
    })
    return (
      last ?? {
        kind: 'died',
        reason: `The run's process ended with ${signal ?? `code ${code}`}.`,
        outOfMemory: outgrown || signal === 'SIGABRT' || code === 134,
      }
    )
  } finally {
    watching.abort()
    signals.stop.removeEventListener('abort', stop)
    signals.kill.removeEventListener('abort', kill)
  }
}

/** Kills a child that can no longer watch its own memory. Works only on systems that show it under `/proc`. */
async function watchMemory(
  pid: number | undefined,
  memMiB: number,
  kill: () => void,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (pid !== undefined && !signal.aborted) {
    const mebibytes = await residentMiB(pid)
    if (mebibytes > memMiB * killShare) return void kill()
    await clock.sleep(2_000, signal).catch(() => undefined)
  }
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(status.match(/VmRSS:\s+(\d+) kB/)?.[1] ?? 0) / 1024
}
