import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FileResult } from './file-reporter.ts'

/** How far a suite has come, over as many runs as it took. */
export interface SuiteRecord {
  seconds: number
  /** Whether nothing is left to run. */
  done: boolean
  /** What has passed, by file. */
  passed: Record<string, FileResult>
}

export interface RunRecord {
  of(suite: string): SuiteRecord
  /** Whether the tree is still as it was when the record was opened: only then is a result worth keeping. */
  isCurrent(): boolean
  save(): void
}

/** Goes on with what an earlier run of the same tree and arguments left in the file, unless asked for a fresh one. */
export function openRecord(file: string, root: string, args: string[], fresh: boolean): RunRecord {
  const stateNow = () => JSON.stringify([stateOfTree(root), ...args])
  const state = stateNow()
  const kept: { state: string; suites: Record<string, SuiteRecord> } | undefined =
    !fresh && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  const suites = kept?.state === state ? kept.suites : {}
  return {
    of: (suite) => (suites[suite] ??= { seconds: 0, done: false, passed: {} }),
    isCurrent: () => stateNow() === state,
    // In one step, so that a process that is killed meanwhile leaves a whole record.
    save() {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(`${file}.new`, JSON.stringify({ state, suites }))
      renameSync(`${file}.new`, file)
    },
  }
}

/** Changes with everything that git would see: a commit, an edit, a new file that is not ignored. */
function stateOfTree(root: string): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, maxBuffer: 2 ** 30 })
  const hash = createHash('sha256')
  hash.update(git('rev-parse', 'HEAD')).update(git('diff', 'HEAD', '--binary', '--no-ext-diff', '--no-textconv'))
  const untracked = git('ls-files', '--others', '--exclude-standard', '-z').toString().split('\0').filter(Boolean)
  for (const path of untracked) hash.update(`${path}\0`).update(contentOf(join(root, path)))
  return hash.digest('hex')
}

function contentOf(path: string): Buffer | string {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  if (entry?.isSymbolicLink()) return readlinkSync(path)
  return entry?.isFile() ? readFileSync(path) : ''
}
