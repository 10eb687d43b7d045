import { expect, test } from 'vitest'
import { totalsOf } from './test-totals.ts'

const aTest = (status: string, title = 'a test', ...ancestorTitles: string[]) => ({ status, title, ancestorTitles })

test('tests are summed over all files', () => {
  const report = {
    testResults: [
      { status: 'passed', assertionResults: [aTest('passed'), aTest('passed')] },
      { status: 'failed', assertionResults: [aTest('passed'), aTest('failed')] },
    ],
  }
  expect(totalsOf(report, 1)).toEqual({ passed: 3, failed: 1, skipped: 0, skippedSuites: [] })
})

test('a file that did not load counts as one failure', () => {
  const report = {
    testResults: [
      { status: 'passed', assertionResults: [aTest('passed')] },
      { status: 'failed', assertionResults: [] },
    ],
  }
  expect(totalsOf(report, 1)).toMatchObject({ passed: 1, failed: 1 })
})

test('a runner that ended badly counts as one failure although every test passed', () => {
  const report = { testResults: [{ status: 'passed', assertionResults: [aTest('passed')] }] }
  expect(totalsOf(report, 1)).toMatchObject({ passed: 1, failed: 1 })
  expect(totalsOf({ testResults: [] }, 1)).toMatchObject({ passed: 0, failed: 1 })
})

test('skipped tests are counted one by one and named once by their suite', () => {
  const suite = 'portal (needs Chromium)'
  const report = {
    testResults: [
      {
        status: 'passed',
        assertionResults: [
          aTest('skipped', 'one', '', suite),
          aTest('pending', 'two', '', suite),
          aTest('todo', 'three', ''),
          aTest('passed'),
        ],
      },
    ],
  }
  expect(totalsOf(report, 0)).toEqual({ passed: 1, failed: 0, skipped: 3, skippedSuites: [suite, 'three'] })
})
