import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { differences } from '../../../sandbox/recorded/differences.ts'
import { readRecordedAnswers } from '../../../sandbox/recorded/recorded-answer.ts'
import { type Sandbox, startSandbox } from '../../../sandbox/start.ts'
import { shopOf } from '../a-shop.ts'
import { replay } from './replay.ts'

const answers = await readRecordedAnswers(new URL('../../../sandbox/recorded/', import.meta.url))
const rows = await documentedRows()

/** The rows of the table, by the name of the answer. */
async function documentedRows(): Promise<Map<string, { found: string[]; reason: string }>> {
  const page = await readFile(new URL('../../../docs/sandbox-differences.md', import.meta.url), 'utf8')
  const [, section = ''] = /^## Answers that differ from recorded ones$(.*?)^## /ms.exec(page) ?? []
  const cells = section.split('\n').flatMap((line) => {
    const [, name, found = '', reason = ''] = /^\| `([\w/-]+)` \| (.*) \| (.*) \|$/.exec(line) ?? []
    return name === undefined ? [] : [[name, { found: found.split('; '), reason }] as const]
  })
  expect(new Set(cells.map(([name]) => name)).size).toBe(cells.length)
  return new Map(cells)
}

let sandbox: Sandbox
const order = [...answers.keys()]
const storeOf = (name: string) => `answer${order.indexOf(name)}`

beforeAll(async () => {
  const stores = [...answers].map(([name, { switches = {} }]) => ({
    name: storeOf(name),
    seed: 'empty' as const,
    switches,
  }))
  sandbox = await startSandbox({ stores })
})
afterAll(() => sandbox.close())

test.each([...answers])('the sandbox answers like %s, or the table says how not', async (name, recorded) => {
  const { status, headers, body } = await replay(shopOf(sandbox, storeOf(name)), recorded)
  const found = differences(recorded.response, { status, headers: [...headers.keys()], body })
  expect(found, JSON.stringify(body)).toEqual(rows.get(name)?.found ?? [])
})

test('every row of the table names a recorded answer and has a reason', () => {
  expect([...rows.keys()].filter((name) => !answers.has(name))).toEqual([])
  expect([...rows.values()].filter(({ reason }) => reason.trim() === '')).toEqual([])
})
