import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../clock.ts'
import type { ChildMessage, HostMessage, StartMessage } from '../core/messages.ts'

/** How a child ended: with its last message, or without a word. */
export type ChildEnd = ChildMessage | { kind: 'died'; reason: string; outOfMemory: boolean }

const childFile = fileURLToPath(
  new URL(`../child/child${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
)
/** Where Node keeps compiled code: a child starts in half the time. */
const compiled = process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
/** What the heap may not use of a run's memory: sockets, buffers and the program itself. */
const besideHeapMiB = 128
/**
 * Young objects get three times so much. Node's own choice counts 96 MiB of it against the heap flag, and a run of 256 MiB then
 * collects garbage most of the time (measured: 40 of 70 s); less would promote what dies with its page.
 */
const semiSpaceMiB = 8
/** A child that does not end by itself is killed at so much of its memory (A6). */
const killShare = 1.2

/**
 * Forks the child of a run and waits for its end.
 *
 * @param stop asks it to record what is on the wire and hand over.
 * @param kill ends it at once: the queue has given the run to somebody else.
 */
export async function runChild(
  start: StartMessage,
  signals: { stop: AbortSignal; kill: AbortSignal; clock: Clock },
): Promise<ChildEnd> {
  // Nothing of our environment, no diagnostic report that could hold a token, no core dump by way of a signal (S20).
  const child = fork(childFile, [], {
    env: { TZ: 'UTC', ...compiled },
    execArgv: [
      `--max-old-space-size=${Math.max(64, start.memMiB - besideHeapMiB)}`,
      `--max-semi-space-size=${semiSpaceMiB}`,
    ],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'json',
  })
  const say = (message: HostMessage) => child.connected && child.send(message, () => undefined)
  const stop = () => say({ kind: 'stop' })
  const kill = () => child.kill('SIGKILL')
  signals.stop.addEventListener('abort', stop, { once: true })
  signals.kill.addEventListener('abort', kill, { once: true })
  const watching = new AbortController()
  try {
    let last: ChildMessage | undefined
    child.on('message', (message: ChildMessage) => {
      last = message
    })
    say(start)
    if (signals.stop.aborted) stop()
    // Killed for its memory is out of memory too: the same tier again would end the same way (A6).
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

/** The child watches itself; this is for one that no longer can. Only where the system tells a process's memory. */
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
