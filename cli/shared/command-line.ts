import type { Readable, Writable } from 'node:stream'
import type { Config } from '../../src/app.ts'
import type { Clock } from '../../src/clock.ts'

/** The parts of the process that a command may use. */
export interface CommandLine {
  /** Reads the environment variables. @throws when one is wrong */
  config(): Config
  environment: Record<string, string | undefined>
  input: Readable & { isTTY?: boolean; setRawMode?(on: boolean): unknown }
  output: Writable & { isTTY?: boolean; columns?: number }
  clock: Clock
  /** Aborts at the first Ctrl-C or SIGTERM; the second one ends the process at once. */
  signal: AbortSignal
  version: string
  /** Exit code of the process once the command has returned. */
  exitWith(code: number): void
}

export function print(commandLine: CommandLine, line: string): void {
  commandLine.output.write(`${line}\n`)
}

/** Columns of the terminal; undefined if the output is a file or a pipe. */
export function widthOf({ output }: CommandLine): number | undefined {
  return output.isTTY ? output.columns : undefined
}

/** Resolves on Ctrl-C or SIGTERM. */
export function untilStopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
