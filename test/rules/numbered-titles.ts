import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface NumberedTitle {
  file: string
  rules: string[]
  title: string
  /** Its test exists in the long form only. */
  longOnly: boolean
}

const tests = ['test/**/*.ts', '{src,cli,sandbox}/**/*.test.ts']
const number = String.raw`(?:[A-GS]\d{1,2}|\d+\.\d+)`
/** A string that begins with numbers of rules; the label of a `test.each` and a chapter of the specification may stand among them. */
const beginning = new RegExp(String.raw`(['"\`])(?:\$\w+: )?(${number}(?:, ${number})*): ((?:(?!\1).)+)`, 'g')
/** A group is no test: what it holds may be gone while its title stays. */
const opensGroup = /\bdescribe[.\w]*\(\s*$/
const opensLongTest = /\blongTest\(\s*$/

/** Titles of tests that begin with the number of a rule, such as those that read "B2: ...". */
export async function numberedTitles(): Promise<NumberedTitle[]> {
  const found = await Promise.all(globSync(tests, { cwd: root }).map(titlesIn))
  return found.flat()
}

async function titlesIn(file: string): Promise<NumberedTitle[]> {
  const text = await readFile(`${root}/${file}`, 'utf8')
  return [...text.matchAll(beginning)].flatMap(({ index, 2: numbers = '', 3: title = '' }) => {
    const rules = numbers.split(', ').filter((one) => /^[A-Z]/.test(one))
    const opening = text.slice(0, index)
    if (rules.length === 0 || opensGroup.test(opening)) return []
    return [{ file: file.replaceAll('\\', '/'), rules, title, longOnly: opensLongTest.test(opening) }]
  })
}
