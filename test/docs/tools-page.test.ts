import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { tools } from '../../src/mcp/registry.ts'
import { toolsPage } from './tools-page.ts'

const committed = new URL('../../docs/tools.md', import.meta.url)

test('docs/tools.md is what the registry says; UPDATE_DOCS=1 writes it anew', async () => {
  if (process.env.UPDATE_DOCS) await writeFile(committed, toolsPage(tools))
  expect(await readFile(committed, 'utf8')).toBe(toolsPage(tools))
})

test('it has one row for each tool, which begins with its name', async () => {
  const rows = (await readFile(committed, 'utf8')).split('\n').filter((line) => line.startsWith('| `'))
  expect(rows.map((row) => /^\| `(\w+)` \|/.exec(row)?.[1])).toEqual(tools.map(({ name }) => name))
})
