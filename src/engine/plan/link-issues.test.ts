import { expect, test } from 'vitest'
import type { Resolved } from '../core/references.ts'
import { describeRewritten, describeUnresolved } from './link-issues.ts'

function resolved(unresolved: string[], missing: string[] = []): Resolved {
  const links = { rewritten: 0, unresolved, followed: [] }
  return { draft: {} as Resolved['draft'], missing, known: new Map(), links }
}

test('each link that could not be rewritten is named once, up to ten of them, and no character is cut in half', () => {
  const long = `https://old.example/${'🎏'.repeat(100)}x${'🎏'.repeat(100)}`
  for (const address of [long, `x${long}`]) {
    const described = describeUnresolved(resolved([address, address])) ?? ''
    expect(described).toMatch(
      /^an address or id of the source store that could not be rewritten: x?https:\/\/old\.example\/.+…$/,
    )
    expect(described.isWellFormed()).toBe(true)
  }
  const many = Array.from({ length: 12 }, (_, at) => `products ${at + 1}`)
  expect(describeUnresolved(resolved(many))).toMatch(/^12 addresses .+: products 1, .+, products 10 and 2 more$/)
})

test('a link to something that may still be copied is reported at the end only', () => {
  const waiting = resolved(['products 5'], ['link:products:5'])
  expect(describeUnresolved(waiting)).toBeNull()
  expect(describeUnresolved(waiting, { late: true })).toContain('products 5')
  expect(describeUnresolved(resolved([]), { late: true })).toBeNull()
})

test.each([
  [
    { items: 1, links: 1 },
    'full',
    'an address or id of the source store in one item was rewritten to that of the destination.',
  ],
  [
    { items: 1, links: 6 },
    'full',
    '6 addresses and ids of the source store in one item were rewritten to those of the destination.',
  ],
  [
    { items: 2, links: 6 },
    'dry-run',
    '6 addresses and ids of the source store in 2 items would be rewritten to those of the destination.',
  ],
] as const)('what was rewritten is counted in plain words: %o in a %s run', (counts, mode, said) => {
  expect(describeRewritten(counts, mode)).toBe(said)
})
