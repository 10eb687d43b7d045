import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { issueRemedies } from './issue-codes.ts'

test('every issue code is explained in docs/issues.md, and nothing else is', () => {
  const page = readFileSync(new URL('../../docs/issues.md', import.meta.url), 'utf8')
  const explained = [...page.matchAll(/^## (\S+)$/gm)].map(([, code]) => code)
  expect(explained).toEqual(Object.keys(issueRemedies))
})
