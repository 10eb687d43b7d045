import type { Readable, Writable } from 'node:stream'
import type { Config } from '../../src/app.ts'
import type { Clock } from '../../src/clock.ts'

/** What a command may touch of the process it runs in. */
export interface CommandLine {
  /** Reads the environment variables; throws when one is wrong. */
  config(): Config
  environment: Record<string, string | undefined>
  input: Readable & { isTTY?: boolean; setRawMode?(on: boolean): unknown }
  output: Writable & { isTTY?: boolean }
  clock: Clock
  /** Aborts at the first Ctrl-C or SIGTERM; the second one ends the process at once. */
  signal: AbortSignal
  version: string
  /** How the process ends once the command has returned. */
  exitWith(code: number): void
}

export function print(commandLine: CommandLine, line: string): void {
  commandLine.output.write(`${line}\n`)
}

/** Resolves when the person or the service manager asks the process to end. */
export function untilStopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
