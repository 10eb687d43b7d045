import { readFileSync } from 'node:fs'
import { runCommand } from '../cli/program.ts'
import type { CommandLine } from '../cli/shared/command-line.ts'
import { systemClock } from './clock.ts'
import { readConfig } from './config.ts'

/** The program, called by `bin/storeferry.cjs`. The only code that touches the process. */
export async function main(argv: string[] = process.argv.slice(2)): Promise<void> {
  process.umask(0o077)
  await runCommand(argv, thisProcess(), process.stderr)
}

function thisProcess(): CommandLine {
  return {
    config: () => readConfig(process.env),
    environment: process.env,
    input: process.stdin,
    output: process.stdout,
    clock: systemClock,
    signal: endOnSignal(),
    version: JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version,
    exitWith(code) {
      process.exitCode = code
    },
  }
}

/**
 * The first Ctrl-C shuts down cleanly; the second ends the process at once. One within a second is the first one again:
 * terminals and service managers signal all processes of a group, and a launcher passes signals on.
 */
function endOnSignal(): AbortSignal {
  const ending = new AbortController()
  let endsAtOnceFromMs = Number.POSITIVE_INFINITY
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      const nowMs = systemClock.monotonicMs()
      if (nowMs >= endsAtOnceFromMs) process.exit(130)
      if (ending.signal.aborted) return
      endsAtOnceFromMs = nowMs + 1_000
      ending.abort(new Error(`ended by ${name}`))
    })
  }
  return ending.signal
}
