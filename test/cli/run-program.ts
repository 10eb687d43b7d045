import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const launcher = fileURLToPath(new URL('../../bin/storeferry.cjs', import.meta.url))

export interface Run {
  child: ChildProcess
  output(): string
  errors(): string
  /** Resolves with the exit code; null when a signal ended it. */
  ended: Promise<number | null>
}

export interface RunOptions {
  environment: Record<string, string>
  /** What standard input holds; empty when left out. */
  input?: string | undefined
}

/** The program as people start it, as leader of a process group of its own. Whoever calls this waits for `ended`. */
export function startProgram(args: string[], { environment, input = '' }: RunOptions): Run {
  const env = { PATH: process.env.PATH, ...environment }
  const child = spawn(process.execPath, [launcher, ...args], { env, detached: true, stdio: 'pipe' })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (errors += chunk))
  // A command that does not read its input may have ended before it was written.
  child.stdin.on('error', () => undefined).end(input)
  const ended = once(child, 'close').then(([code]) => code)
  return { child, output: () => output, errors: () => errors, ended }
}

export async function runProgram(
  args: string[],
  options: RunOptions,
): Promise<{ code: number | null; output: string; errors: string }> {
  const run = startProgram(args, options)
  const code = await run.ended
  return { code, output: run.output(), errors: run.errors() }
}

/** Waits for a line of standard output that matches; fails when the program ends or says nothing like it in time. */
export async function untilPrinted(run: Run, pattern: RegExp, withinMs = 60_000): Promise<RegExpMatchArray> {
  const found = () => run.output().match(pattern)
  const deadline = AbortSignal.timeout(withinMs)
  while (!found() && run.child.exitCode === null && !deadline.aborted) {
    await Promise.race([
      once(run.child.stdout as NodeJS.ReadableStream, 'data', { signal: deadline }),
      run.ended,
    ]).catch(() => undefined)
  }
  const match = found()
  if (match) return match
  throw new Error(`The program did not print ${pattern}. Output:\n${run.output()}\nErrors:\n${run.errors()}`)
}

export async function stopProgram(run: Run | undefined): Promise<void> {
  if (!run) return
  run.child.kill('SIGTERM')
  await run.ended
}
