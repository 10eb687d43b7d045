import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createFinder } from './find-retired.ts'
import { readGlossary } from './glossary.ts'

const glossary = `
## Retired

The left column must not come back.

| Retired | Where | Instead |
| --- | --- | --- |
| duty (of a draft), duties | names, prose | deferred write |
| place | names | position |
| \`isPair\` | names | \`isStorefrontRun\` |
| nobody | prose | name who acts |
| planned | - | simulated |

| Retired phrase | Where | Instead |
| --- | --- | --- |
| hangs on | prose | its children |

## Names that stay

| Where | Names | Files | Why |
| --- | --- | --- | --- |
| columns | \`runs.duties\` | \`src/db/\` | a migration of its own |
| BigCommerce | \`decimal_places\`, \`place_id\`, \`Duty Free\` | | |
`

const find = createFinder(readGlossary(glossary))
const found = (text: string, path = 'src/a.ts') => find(path, text).map((each) => `${each.line} ${each.found}`)

test.each([
  ['a word of an identifier', 'const a = 1\nconst dutyOf = a', '2 dutyOf'],
  ['a private member', 'class A { #duty = 1 }', '1 duty'],
  ['a constant', 'const FIRST_PLACE = 1', '1 FIRST_PLACE'],
  ['several words of an identifier', 'const allIsPair = 1', '1 allIsPair'],
  ['a key in quotes', "const a = { 'first-duty': 1 }", '1 first-duty'],
  ['a comment', '/**\n * What Nobody needs.\n */', '2 Nobody'],
  ['a comment after code', 'const a = 1 // its duty', '1 duty'],
  ['a comment before a brace', 'function a() {\n  // its duty\n}', '2 duty'],
  ['a phrase across two lines of a comment', '/**\n * What hangs\n * on it.\n */', '2 hangs on'],
  ['a message', "throw new Error('Nobody has it.')", '1 Nobody'],
  ['the text of a template after a value', 'const a = `$' + '{b} has a duty`', '1 duty'],
  ['the value in a template', 'const a = `one $' + '{c({ d: duty })} two`', '1 duty'],
  ['code in a comment', '/** See `dutyOf`. */', '1 dutyOf'],
  ['a comment after a regular expression with a quote', "const a = /['`]/ // its duty", '1 duty'],
  ['a name in a query', 'const a = sql<{ a: 1 }>`select duty from runs`', '1 duty'],
])('refuses a retired word in %s', (_, text, expected) => {
  expect(found(text)).toEqual([expected])
})

test('says what to write instead', () => {
  expect(find('src/a.ts', 'const duty = 1')).toEqual([
    { path: 'src/a.ts', line: 1, found: 'duty', instead: 'deferred write' },
  ])
})

test('refuses a retired word in the name of a file, and in the comments of SQL', () => {
  expect(found('', 'src/pay-duty.ts')).toEqual(['1 pay-duty'])
  expect(found('create table duty ();\n-- for nobody', 'src/a.sql')).toEqual(['2 nobody'])
})

test('reads the text of a Markdown file as prose, and its code as names', () => {
  const text = 'A place for nobody.\n\nSee `place`.\n\n```\nnobody { place }\n```\n'
  expect(found(text, 'docs/a.md')).toEqual(['1 nobody', '3 place', '6 place'])
})

test.each([
  ['a word that only names may not have, in a sentence', '// Place an order in one place.'],
  ['a word that is part of another', 'const heavyduty = 1, placement = 2 // nobodys'],
  ['a word that only a reader can judge', 'const planned = 1 // planned'],
  ['a name of several words that stays', "const a = 'The Duty Free shop'"],
  ['a name that stays everywhere', 'const a = { decimal_places: 1, place_id: 2 }'],
])('accepts %s', (_, text) => {
  expect(found(text)).toEqual([])
})

test('accepts a name that stays in its files only', () => {
  const text = 'const a = sql`select duties from runs`'
  expect(found(text, 'src/db/runs.ts')).toEqual([])
  expect(found(text, 'src/model/runs.ts')).toEqual(['1 duties'])
  expect(found('// The table duties.', 'src/db/runs.ts')).toEqual(['1 duties'])
})

test.each([
  ['without the table', '# Glossary\n', 'no section "Retired"'],
  ['with an unknown place to look', glossary.replace('| names, prose |', '| everywhere |'), '"everywhere" is neither'],
])('refuses a glossary %s', (_, text, message) => {
  expect(() => readGlossary(text)).toThrow(message)
})

test('reads every row of our own glossary', () => {
  const { retired, kept } = readGlossary(readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8'))
  expect(retired).toContainEqual({ word: 'is not taken', where: ['prose'], instead: 'is refused' })
  expect(retired.filter(({ word, instead }) => word === '' || instead === '')).toEqual([])
  expect(kept).toContainEqual({
    name: 'owed',
    paths: ['src/', 'cli/', 'portal/', 'docs/', 'README.md', 'ARCHITECTURE.md'],
  })
})
