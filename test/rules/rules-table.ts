import type { NumberedTitle } from './numbered-titles.ts'
import { type Rule, rules } from './rules.ts'
import { type Suite, suites, suitesOfFile } from './suites-of-file.ts'

export const tableBegins = '<!-- rules: `UPDATE_DOCS=1 npm test -- test/rules` writes this table -->'
export const tableEnds = '<!-- end of rules -->'

/** One row for all rules that the same suites hold, with where their tests are. */
export function rulesTable(titles: NumberedTitle[]): string {
  const rows = Map.groupBy(Object.entries(rules), ([, rule]) => suitesOf(rule).join(', '))
  const order = [...rows.keys()].sort((one, other) => rankOf(one) - rankOf(other))
  const lines = order.map((held) => {
    const numbers = (rows.get(held) ?? []).map(([number]) => number)
    const wanted = held.split(', ') as Suite[]
    return `| ${ranges(numbers)} | ${held || 'not built'} | ${foldersOf(titles, numbers, wanted).join(', ')} |`
  })
  return ['| Rules | Suites | Tests |', '| --- | --- | --- |', ...lines].join('\n')
}

function suitesOf(rule: Rule): readonly Suite[] {
  return 'suites' in rule ? suites.filter((suite) => rule.suites.includes(suite)) : []
}

/** Rows with few suites come first, and what is not built last. */
function rankOf(held: string): number {
  const position = (suite: string) => suites.indexOf(suite as Suite)
  return held === '' ? Number.POSITIVE_INFINITY : held.split(', ').reduce((rank, one) => rank + 2 ** position(one), 0)
}

function foldersOf(titles: NumberedTitle[], numbers: string[], wanted: Suite[]): string[] {
  const own = titles.filter(
    ({ file, rules: cited }) =>
      cited.some((one) => numbers.includes(one)) && suitesOfFile(file).some((suite) => wanted.includes(suite)),
  )
  const folders = own.map(({ file }) => file.split('/').slice(0, -1).slice(0, 2).join('/'))
  return [...new Set([...folders, ...(wanted.includes('bench') ? ['bench'] : [])])].sort()
}

/** "S2-S8, S10": neighbours of one series in one word. */
function ranges(numbers: string[]): string {
  const runs: string[][] = []
  for (const number of numbers) {
    const last = runs.at(-1)?.at(-1)
    const follows = last?.[0] === number[0] && Number(last?.slice(1)) + 1 === Number(number.slice(1))
    if (follows) runs.at(-1)?.push(number)
    else runs.push([number])
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(', '))).join(', ')
}
