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

/** The first Ctrl-C shuts down cleanly; the second ends the process at once. */
function endOnSignal(): AbortSignal {
  const ending = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (ending.signal.aborted) process.exit(130)
      ending.abort(new Error(`ended by ${name}`))
    })
  }
  if (process.env.npm_lifecycle_event !== undefined) onParentGone(() => ending.abort(new Error('ended with npm')))
  return ending.signal
}

/** npm passes SIGTERM on to its shell only, which ends at once and would leave us behind. */
function onParentGone(end: () => void): void {
  const parent = process.ppid
  // biome-ignore lint/style/noRestrictedGlobals: a wait of the clock would keep the process alive
  const looking = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(looking)
    end()
  }, 1000)
  looking.unref()
}
