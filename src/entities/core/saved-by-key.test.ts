import { expect, test } from 'vitest'
import { draft, type PlatformItem } from './draft.ts'
import { rowsByDraft } from './saved-by-key.ts'

const read = (item: PlatformItem) => draft('brands', item.id, item, { keys: [`name:${item.name}`] })
const desired = (...names: string[]) => names.map((name, at) => read({ id: `source ${at}`, name }))

/** The id in the response for each name that was sent. */
function idsOf(sent: string[], rows: PlatformItem[]): unknown[] {
  const drafts = desired(...sent)
  const found = rowsByDraft({ data: rows }, drafts, { read })
  return drafts.map((one) => found.get(one)?.id)
}

test('G6: rows belong to the drafts with their keys, in any order', () => {
  const rows = [
    { id: 2, name: 'B' },
    { id: 1, name: 'A' },
  ]
  expect(idsOf(['A', 'B'], rows)).toEqual([1, 2])
})

test('G6: a row with a rewritten key is recognised by what is left of it, and the last one by being the last', () => {
  const rows = [
    { id: 1, name: 'acme ltd' },
    { id: 2, name: 'Quite another name' },
  ]
  expect(idsOf(['Acme  Ltd', 'Zed'], rows)).toEqual([1, 2])
})

test('G6: nothing is guessed where a row is missing, or two drafts are alike', () => {
  expect(idsOf(['Acme', 'Zed'], [{ id: 2, name: 'Quite another name' }])).toEqual([undefined, undefined])
  const rows = [
    { id: 1, name: 'acme' },
    { id: 2, name: 'ACME ' },
  ]
  expect(idsOf(['Acme', 'aCME'], rows)).toEqual([undefined, undefined])
})
