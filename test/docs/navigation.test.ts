import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const docs = new URL('../../docs/', import.meta.url)

test('the navigation of the site leads to every document of its folder', () => {
  const config = readFileSync(new URL('.vitepress/config.ts', docs), 'utf8')
  const linked = [...config.matchAll(/page\('[^']+', '([^']+)'\)/g)].map(([, name]) => `${name}.md`)
  const documents = readdirSync(docs).filter((name) => name.endsWith('.md') && name !== 'index.md')
  expect(documents.filter((name) => !linked.includes(name))).toEqual([])
})
