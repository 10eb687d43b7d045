import { expect, test } from 'vitest'
import { createKeyring } from '../../accounts/encryption.ts'
import { slicePage } from './slice-page.ts'

const keyring = createKeyring([], Buffer.alloc(32, 1))
const cursorScope = { list: 'phases', organisationId: 'one', filters: {} }

interface Phase {
  key: string
  failed: number
}
const phasesOf = (...failed: number[]) => failed.map((count, at): Phase => ({ key: 'abcd'[at] ?? '', failed: count }))

function page(all: readonly Phase[], cursor?: string | null) {
  const { items, nextCursor } = slicePage(keyring, cursorScope, all, {
    keyOf: ({ key }) => key,
    fits: ({ failed }) => failed > 0,
    limit: 2,
    cursor: cursor ?? undefined,
  })
  return { keys: items.map(({ key }) => key).join(''), nextCursor }
}

test('what no longer fits between two pages makes no page begin again from the start', () => {
  const first = page(phasesOf(1, 1, 1, 1))
  expect(first.keys).toBe('ab')
  expect(page(phasesOf(1, 0, 1, 1), first.nextCursor)).toEqual({ keys: 'cd', nextCursor: null })
  expect(page(phasesOf(0, 0, 1, 1), first.nextCursor)).toEqual({ keys: 'cd', nextCursor: null })
})

test('what is gone between two pages makes no page begin again from the start', () => {
  const [a, b, ...others] = phasesOf(1, 1, 1, 1)
  const { nextCursor } = page([a!, b!, ...others])
  expect(page([a!, ...others], nextCursor).keys).toBe('cd')
  expect(page([a!, b!], nextCursor)).toEqual({ keys: '', nextCursor: null })
})
