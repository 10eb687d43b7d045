import { expect, test } from 'vitest'
import { identity, MissingReference, type References } from '../core/references.ts'
import { type IdPath, translateIds } from './translate-ids.ts'

/** Ids at the destination are a hundred higher; 9 and `gone` have no counterpart. */
const references: References = {
  ...identity,
  need: (component, id) => {
    if (id === 9) throw new MissingReference(component, String(id))
    return Number(id) + 100
  },
  want: (_component, id) => (id === 9 ? undefined : Number(id) + 100),
  has: (_component, id) => id !== 'gone',
  wantText: (_component, id) => (id === 'gone' ? undefined : `there-${id}`),
}

const table: IdPath[] = [
  { path: 'channels.*.id', of: 'channels' },
  { path: 'groups.*', of: 'groups', fixedBelowOne: true },
  { path: 'segments.**.id.*', of: 'segments', text: true },
  { path: 'rules.*.**.items.**.brands.*', of: 'brands' },
  { path: 'rules.*.gift', of: 'products', needed: true },
]

const translated = (item: Record<string, unknown>) => translateIds(item, table, references)

test('ids are translated at every depth that the table names, and nowhere else', () => {
  const item = {
    brands: [1],
    rules: [
      { when: { items: { and: [{ not: { brands: [1, 2] } }, { or: [{ brands: [3] }] }] }, brands: [4] }, gift: 5 },
    ],
  }
  expect(translated(item)).toEqual({
    brands: [1],
    rules: [
      {
        when: { items: { and: [{ not: { brands: [101, 102] } }, { or: [{ brands: [103] }] }] }, brands: [4] },
        gift: 105,
      },
    ],
  })
})

test('what is missing leaves its list, alone or with the object that only named it', () => {
  expect(
    translated({ channels: [{ id: 1 }, { id: 9 }], groups: [9, 2], segments: { not: { id: ['gone', 'a'] } } }),
  ).toEqual({
    channels: [{ id: 101 }],
    groups: [102],
    segments: { not: { id: ['there-a'] } },
  })
})

test('a number that means the same in every store is kept, and so is the word for all', () => {
  expect(translated({ groups: [0, 1] })).toEqual({ groups: [0, 101] })
  expect(translateIds({ zones: '*' }, [{ path: 'zones', of: 'zones' }], references)).toEqual({ zones: '*' })
})

test('an item is not to be had without what it needs', () => {
  expect(() => translated({ rules: [{ gift: 9 }] })).toThrow(MissingReference)
})
