import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { firstFailure } from './first-failure.ts'

export interface SuiteEnd {
  green: boolean
  /** What noticed the fault; empty when nothing did. */
  caughtBy: string
  seconds: number
}

/** No suite takes as long: a fault that makes it hang is one that it notices. */
const longestMs = 2 * 3_600_000
const patienceMs = 20_000

/**
 * `npm test` in the folder, of these files or without any of all, until its first failure. @throws the signal's reason once everything
 * that was started has ended.
 */
export async function runSuite(root: string, files: readonly string[], signal: AbortSignal): Promise<SuiteEnd> {
  signal.throwIfAborted()
  const startedMs = performance.now()
  const late = AbortSignal.timeout(longestMs)
  const { exitCode, output } = await runToItsEnd(root, files, AbortSignal.any([signal, late]))
  signal.throwIfAborted()
  const seconds = Math.round((performance.now() - startedMs) / 1000)
  if (late.aborted) return { green: false, caughtBy: 'the suite did not end', seconds }
  if (exitCode === 0) return { green: true, caughtBy: '', seconds }
  const caughtBy = firstFailure(output)
  // The machine failed, not a test: that says nothing about the fault.
  if (caughtBy === undefined) throw new Error(`The suite ended red without a test that failed: ${lastLines(output)}`)
  return { green: false, caughtBy, seconds }
}

/** In a process group of its own, so that all of it can be ended together. */
async function runToItsEnd(
  root: string,
  files: readonly string[],
  stop: AbortSignal,
): Promise<{ exitCode: number | null; output: string }> {
  const child = spawn('npm', ['run', '--silent', 'test', '--', '--bail=1', ...files], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const closed = once(child, 'close')
  const end = (name: NodeJS.Signals) => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  const ended = new AbortController()
  const leave = () => {
    end('SIGTERM')
    sleep(patienceMs, undefined, { signal: ended.signal }).then(
      () => end('SIGKILL'),
      () => undefined, // it ended in time
    )
  }
  stop.addEventListener('abort', leave, { once: true })
  try {
    const [exitCode] = (await closed) as [number | null]
    return { exitCode, output }
  } finally {
    stop.removeEventListener('abort', leave)
    ended.abort()
  }
}

function lastLines(output: string): string {
  return output.trimEnd().split('\n').slice(-3).join(' / ')
}
