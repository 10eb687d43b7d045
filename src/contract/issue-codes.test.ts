import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { issueRemedies } from './issue-codes.ts'

test('docs/issues.md explains every issue code and nothing else', () => {
  const page = readFileSync(new URL('../../docs/issues.md', import.meta.url), 'utf8')
  const explained = [...page.matchAll(/^## (\S+)$/gm)].map(([, code]) => code)
  expect(explained).toEqual(Object.keys(issueRemedies))
})
