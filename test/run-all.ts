import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installChromium } from './harness/chromium.ts'
import { type TestReport, totalsOf } from './test-totals.ts'

/**
 * `npm test [-- FILTER ...]`: the unit and the service tests. What follows `--` goes to the test runner as it is, so part of a
 * path, `-t "part of a title"` and `--project unit` all narrow the run. Ends in `N passed, N failed, N skipped`.
 *
 * A run of everything installs the Debian packages that tests need, when it may; without them those tests are skipped and say so.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
if (process.argv.length === 2) installChromium()
const folder = await mkdtemp(join(tmpdir(), 'storeferry-test-'))
try {
  const reportFile = join(folder, 'report.json')
  const exitCode = await runVitest(reportFile, process.argv.slice(2))
  const totals = totalsOf(await readReport(reportFile), exitCode)
  for (const reason of totals.skippedSuites) console.log(`skipped: ${reason}`)
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
  process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

function runVitest(reportFile: string, filters: string[]): Promise<number> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...filters]
  const child = spawn(process.execPath, vitest, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}

/** No report means that the runner died before its end; an empty one counts as that. */
async function readReport(file: string): Promise<TestReport> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    console.error('The test runner left no report:', error)
    return { testResults: [] }
  }
}
