import type { FileResult } from './file-reporter.ts'

type Counts = Pick<FileResult, 'passed' | 'failed' | 'skipped'>

/** The last line of every script that runs tests; CI reads it. */
export function totalsLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

export function sum(counts: Counts[]): Counts {
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const { passed, failed, skipped } of counts) {
    total.passed += passed
    total.failed += failed
    total.skipped += skipped
  }
  return total
}

/** What was missing, the slowest files, the totals. Sets the exit code: a run without a test has failed, too. */
export function printEnd(results: FileResult[], failuresOutside: number): void {
  for (const reason of new Set(results.flatMap(({ missing }) => missing))) console.log(`skipped: ${reason}`)
  const slowest = results.toSorted((one, other) => other.seconds - one.seconds).slice(0, 10)
  if (slowest.length > 0) console.log('The slowest files:')
  for (const { seconds, file } of slowest) console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`)
  const totals = sum(results)
  totals.failed += failuresOutside
  console.log(totalsLine(totals))
  process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1
}
