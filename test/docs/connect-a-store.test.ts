import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { panelScopes } from '../../src/entities/token-scopes.ts'

const committed = new URL('../../docs/connect-a-store.md', import.meta.url)
const begins = '<!-- scopes: `UPDATE_DOCS=1 npm test -- test/docs` writes this table -->\n'
const ends = '<!-- end of scopes -->'

/** As the portal lists them. */
function scopesTable(): string {
  const rows = panelScopes.map(({ name, read, write, for: needing }) => {
    const why = needing.length > 0 ? needing.join(', ') : 'every copy'
    return `| ${name} | \`${read}\`, \`${write}\` | ${why} |`
  })
  return `| Scope | In the API, to read and to modify | For |\n| --- | --- | --- |\n${rows.join('\n')}\n`
}

test('docs/connect-a-store.md has the scopes that the portal lists, under their names in the control panel', async () => {
  const page = await readFile(committed, 'utf8')
  const [before = '', rest = ''] = page.split(begins)
  const [, after = ''] = rest.split(ends)
  const said = `${before}${begins}${scopesTable()}${ends}${after}`
  if (process.env.UPDATE_DOCS) await writeFile(committed, said)
  expect(await readFile(committed, 'utf8')).toBe(said)
  expect(said).toContain(
    '| Information & settings | `store_v2_information_read_only`, `store_v2_information` | every copy |',
  )
})
