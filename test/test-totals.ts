/** The part of the runner's JSON report that we read. */
export interface TestReport {
  testResults: {
    status: string
    assertionResults: { status: string; title: string; ancestorTitles: string[] }[]
  }[]
}

export interface TestTotals {
  passed: number
  failed: number
  skipped: number
  /** Titles of what was skipped, outermost first and once each; by our convention they say what is missing. */
  skippedSuites: string[]
}

/**
 * Adds up a run. A file that failed without a failed test (it did not load, or its set-up threw) counts as one failure; so does
 * a runner that ended badly although every test passed (an error outside any test).
 */
export function totalsOf({ testResults }: TestReport, exitCode: number): TestTotals {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const passed = tests.filter(({ status }) => status === 'passed').length
  const failedTests = tests.filter(({ status }) => status === 'failed').length
  const failedFiles = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
  ).length
  const failed = failedTests + failedFiles
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed')
  const titles = skipped.map(({ title, ancestorTitles }) => ancestorTitles.find((ancestor) => ancestor !== '') ?? title)
  return {
    passed,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: skipped.length,
    skippedSuites: [...new Set(titles)],
  }
}
