import { expect, test } from 'vitest'
import { type Stretch, wordDiff } from './word-diff.ts'

const marks = { same: ['', ''], removed: ['[-', '-]'], added: ['[+', '+]'] } as const
const shown = (stretches: Stretch[]) =>
  stretches.map(({ kind, text }) => `${marks[kind][0]}${text}${marks[kind][1]}`).join('')

test.each([
  ['a red lamp', 'a blue lamp', 'a [-red-][+blue+] lamp'],
  ['a lamp', 'a lamp of oak', 'a lamp[+ of oak+]'],
  ['a lamp of oak', 'a lamp', 'a lamp[- of oak-]'],
  ['<p>old lamp</p>', '<p>new lamp</p>', '<p>[-old-][+new+] lamp</p>'],
  ['same', 'same', 'same'],
  ['', 'new', '[+new+]'],
])('%j against %j is %s', (before, after, diff) => {
  expect(shown(wordDiff(before, after))).toBe(diff)
})

test('whatever the texts are, without what was added it is the one, and without what was removed the other', () => {
  const words = ['lamp', 'oak', 'of', '<b>', '\n', 'red']
  const textOf = (seed: number) =>
    Array.from({ length: 40 }, (_, at) => words[((seed * (at + 3) * 7) % 6) | 0]).join(' ')
  for (let seed = 1; seed < 30; seed++) {
    const [before, after] = [textOf(seed), textOf(seed + 1)]
    const diff = wordDiff(before, after)
    const without = (left: Stretch['kind']) => diff.flatMap(({ kind, text }) => (kind === left ? [] : text)).join('')
    expect([without('added'), without('removed')]).toEqual([before, after])
  }
})

test('of very long texts only the beginning and the end that they share are set apart', () => {
  const many = (word: string) => Array.from({ length: 2_000 }, (_, at) => `${word}${at}`).join(' ')
  const diff = wordDiff(`first ${many('a')} last`, `first ${many('b')} last`)
  expect(diff.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added', 'same'])
})
