import { join } from 'node:path'
import { parseCLI } from 'vitest/node'
import type { FileResult } from './file-reporter.ts'
import { installChromium } from './harness/chromium.ts'
import { downloadOpenSearch } from './harness/opensearch-files.ts'
import { root, runVitest, type VitestRun } from './run-vitest.ts'
import { openRecord, type RunRecord, type SuiteRecord } from './suite-record.ts'
import { type Suite, suites } from './suites.ts'
import { printEnd, sum, totalsLine } from './totals.ts'

/**
 * `npm test`, `npm run test:<suite>` and `npm run test:all`. What follows `--` goes to vitest as it is. Ends in
 * `N passed, N failed, N skipped`.
 *
 * `test:all` runs one suite after another. It goes on where it was stopped as long as the tree and the arguments are the same;
 * `--fresh` begins anew.
 */
const [name = '', ...given] = process.argv.slice(2)
const args = given.filter((arg) => arg !== '--fresh')
const { filter, options } = parseCLI(['vitest', 'run', ...args])
const suite = suites[name]

if ((name === 'default' || name === 'all') && !narrows()) {
  installChromium()
  downloadOpenSearch()
}
if (suite) {
  const { results, failuresOutside } = await runSuite(suite)
  printEnd(results, failuresOutside)
} else if (name === 'all') {
  await runAll()
} else {
  console.error(`There is no suite "${name}"; name one of ${Object.keys(suites).join(', ')}, all.`)
  process.exitCode = 1
}

/** Whether tests are left out; most options, such as `--sequence.shuffle`, only change how they run. */
function narrows(): boolean {
  const { testNamePattern, project, exclude, dir, changed, lastFailed, shard, tagsFilter } = options
  const choices = [testNamePattern, project, exclude, dir, changed, lastFailed, shard, tagsFilter]
  return filter.length > 0 || choices.some((choice) => choice !== undefined)
}

type OnResult = (result: FileResult) => void

async function runSuite(suite: Suite, passed: string[] = [], onResult?: OnResult): Promise<VitestRun> {
  const left = [...outside(suite), ...(options.exclude ?? []), ...passed]
  const env = { STOREFERRY_LEFT_OUT: JSON.stringify(left), ...(suite.long && { STOREFERRY_LONG: '1' }) }
  // In `test:all`, filters may leave nothing of a suite.
  const forVitest = name === 'all' ? [...args, '--passWithNoTests'] : args
  return runVitest(forVitest, { env, onResult })
}

/** Globs of the test files that are not in the suite; filters do not do, as those of the caller would add to them. */
function outside({ folders }: Suite): string[] {
  return folders ? ['{src,sandbox,cli,portal}/**', 'test/*.test.ts', `test/!(${folders.join('|')})/**`] : []
}

async function runAll(): Promise<void> {
  const file = join(root, 'node_modules/.cache/storeferry/test-all.json')
  const records = openRecord(file, root, args, given.includes('--fresh'))
  const results: FileResult[] = []
  const lines: string[] = []
  let failuresOutside = 0
  for (const [title, suite] of Object.entries(suites)) {
    const record = records.of(title)
    const before = Object.values(record.passed)
    console.log(`\n${title}${before.length > 0 ? ` (passed before: ${before.length} of its files)` : ''}`)
    const run = record.done ? { results: [], failuresOutside: 0 } : await goOn(suite, record, records)
    const together = [...before, ...run.results]
    failuresOutside += run.failuresOutside
    results.push(...together.map((result) => ({ ...result, file: `${title}: ${result.file}` })))
    lines.push(`${title}: ${(record.seconds / 60).toFixed(1)} minutes, ${totalsLine(sum(together))}`)
  }
  console.log(`\n${lines.join('\n')}`)
  if (!records.isCurrent()) console.log('The tree has changed meanwhile: what ran since then will run again.')
  printEnd(results, failuresOutside)
}

/** Runs what has not passed yet, and keeps each file that passes as soon as it has. */
async function goOn(suite: Suite, record: SuiteRecord, records: RunRecord): Promise<VitestRun> {
  let since = performance.now()
  const save = () => {
    const now = performance.now()
    record.seconds += (now - since) / 1000
    since = now
    records.save()
  }
  const run = await runSuite(suite, Object.keys(record.passed), (result) => {
    if (result.failed === 0 && records.isCurrent()) record.passed[result.file] = result
    else delete record.passed[result.file]
    save()
  })
  // Something failed outside the files, and no file says which of them it was.
  if (run.ended && run.failuresOutside > 0) for (const { file } of run.results) delete record.passed[file]
  record.done = run.failuresOutside === 0 && run.results.every(({ file }) => file in record.passed)
  save()
  return run
}
