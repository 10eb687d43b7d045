import { fork } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { FileResult, ReporterMessage } from './file-reporter.ts'

export const root = fileURLToPath(new URL('..', import.meta.url))

export interface VitestRun {
  results: FileResult[]
  /** False when vitest died before its end; its last files are missing then. */
  ended: boolean
  /** Failures that are in no file: errors outside all of them, a runner that died, a filter that finds nothing. */
  failuresOutside: number
  /** Empty unless it was asked for. */
  output: string
}

interface Options {
  env?: NodeJS.ProcessEnv
  /** Whether what it prints is collected instead of printed. */
  collectOutput?: boolean
  onResult?: (result: FileResult) => void
}

/** Runs vitest in a process of its own, so that it can die without taking the totals with it. */
export async function runVitest(args: string[], options: Options = {}): Promise<VitestRun> {
  const theirs = args.some((arg) => arg.startsWith('--reporter'))
  const reporters = [...(theirs ? [] : ['--reporter=default']), `--reporter=${root}test/file-reporter.ts`]
  const output = options.collectOutput ? 'pipe' : 'inherit'
  const child = fork(`${root}node_modules/vitest/vitest.mjs`, ['run', ...reporters, ...args], {
    cwd: root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', output, output, 'ipc'],
  })
  const results = new Map<string, FileResult>()
  let ended = false
  let errorsOutside = 0
  child.on('message', (message: ReporterMessage) => {
    if ('ended' in message) {
      ended = true
      errorsOutside = message.errorsOutside
    } else {
      results.set(message.result.file, message.result)
      options.onResult?.(message.result)
    }
  })
  const printed = Promise.all([child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')))
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
  const files = [...results.values()]
  const unexplained = !ended || (exitCode !== 0 && files.every(({ failed }) => failed === 0))
  const failuresOutside = errorsOutside || (unexplained ? 1 : 0)
  return { results: files, ended, failuresOutside, output: (await printed).join('') }
}
