import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { type NumberedTitle, numberedTitles, root } from './numbered-titles.ts'
import { rules } from './rules.ts'
import { paragraph, rulesPage } from './rules-page.ts'
import { rulesTable, tableBegins, tableEnds } from './rules-table.ts'
import { suitesOfTitle } from './suites-of-file.ts'

const numbers = Object.keys(rules)
const citing = ['{src,cli,sandbox,bench}/**/*.{ts,sql}', 'docs/**/*.md', '*.md']

let titles: NumberedTitle[]
let page: Map<string, string>
beforeAll(async () => {
  titles = await numberedTitles()
  page = await rulesPage()
})

const numbersIn = (text: string) => text.match(/\b[A-GS]\d{1,2}\b/g) ?? []
const entryOf = (number: string) => page.get(number) ?? ''

test('docs/rules.md has an entry for every rule of the list, in its order, and no other', () => {
  expect([...page.keys()]).toEqual(numbers)
  for (const [number, entry] of page) expect(entry.length, number).toBeGreaterThan(80)
})

test('every number that code, titles of tests and documents cite has an entry', async () => {
  const unknown: string[] = []
  for (const file of globSync(citing, { cwd: root }))
    for (const number of numbersIn(await readFile(`${root}/${file}`, 'utf8')))
      if (!page.has(number)) unknown.push(`${file}: ${number}`)
  for (const { file, rules: cited, title } of titles)
    for (const number of [...cited, ...numbersIn(title)]) if (!page.has(number)) unknown.push(`${file}: ${number}`)
  expect(unknown).toEqual([])
})

test('docs/rules.md says of a rule, or of a part of it, that it is not built exactly where the list does', () => {
  for (const [number, rule] of Object.entries(rules)) {
    const said = [paragraph(entryOf(number), 'Not built yet: '), paragraph(entryOf(number), 'Not yet: ')]
    expect(said, number).toEqual('suites' in rule ? [undefined, rule.notYet] : [rule.notBuilt, undefined])
  }
})

test('a rule that overrides another is named there, and the other way round', () => {
  const linked = (text = '') => [...text.matchAll(/\[(\w+)\]\(/g)].map(([, to]) => to)
  const sentence = (number: string, words: string) =>
    entryOf(number)
      .replaceAll('\n', ' ')
      .match(new RegExp(`${words} [^.]*\\.`))?.[0]
  const overrides = numbers.flatMap((number) => linked(sentence(number, 'Overrides')).map((to) => `${number} ${to}`))
  const overridden = numbers.flatMap((number) =>
    linked(sentence(number, 'Overridden in part by')).map((by) => `${by} ${number}`),
  )
  expect(overrides.length).toBeGreaterThan(0)
  expect(overridden.sort()).toEqual(overrides.sort())
})

test('every link on docs/rules.md leads to an entry', () => {
  const links = [...page.values()].flatMap((entry) => [...entry.matchAll(/\[(\w+)\]\(#(\w+)\)/g)])
  for (const [link, number = '', anchor] of links) {
    expect(page.has(number), link).toBe(true)
    expect(anchor).toBe(number.toLowerCase())
  }
})

test('every built rule has a test that begins with its number in each suite that holds it', async () => {
  const bench = await Promise.all(
    globSync('bench/**/*.ts', { cwd: root }).map((file) => readFile(`${root}/${file}`, 'utf8')),
  )
  const measured = new Set(bench.flatMap(numbersIn))
  const held = (number: string, suite: string) =>
    suite === 'bench'
      ? measured.has(number)
      : titles.some((title) => title.rules.includes(number) && suitesOfTitle(title).some((one) => one === suite))
  const missing = Object.entries(rules).flatMap(([number, rule]) =>
    'suites' in rule ? rule.suites.filter((suite) => !held(number, suite)).map((suite) => `${number}: ${suite}`) : [],
  )
  expect(missing).toEqual([])
  for (const [number, rule] of Object.entries(rules)) if ('suites' in rule) expect(rule.suites, number).not.toEqual([])
})

test('no rule that is not built has a test that begins with its number', () => {
  const unbuilt = numbers.filter((number) => 'notBuilt' in (rules[number] ?? {}))
  const early = titles.filter(({ rules: cited }) => cited.some((number) => unbuilt.includes(number)))
  expect(early.map(({ file, rules: cited, title }) => `${file}: ${cited}: ${title}`)).toEqual([])
})

test('no code cites a rule that is not built', async () => {
  const early: string[] = []
  for (const file of globSync('{src,cli,sandbox}/**/*.{ts,sql}', { cwd: root }))
    for (const number of numbersIn(await readFile(`${root}/${file}`, 'utf8')))
      if ('notBuilt' in (rules[number] ?? {})) early.push(`${file}: ${number}`)
  expect(early).toEqual([])
})

test('the table in CONTRIBUTING.md is what the list and the titles say; UPDATE_DOCS=1 writes it anew', async () => {
  const file = `${root}/CONTRIBUTING.md`
  const [before, after] = [tableBegins, tableEnds]
  const text = await readFile(file, 'utf8')
  expect(text.split(before)).toHaveLength(2)
  expect(text.split(after)).toHaveLength(2)
  const [start = '', rest = ''] = text.split(before)
  const said = `${start}${before}\n${rulesTable(titles)}\n${after}${rest.split(after)[1]}`
  if (process.env.UPDATE_DOCS) await writeFile(file, said)
  expect(await readFile(file, 'utf8')).toBe(said)
})
