import { expect, test } from 'vitest'
import { linked, linkedAddress, linkedFields, linkedJson } from './links.ts'
import { identity, type References } from './references.ts'

const reports: { rewritten: number; unresolved: string[] }[] = []
const references: References = {
  ...identity,
  links: {
    moves: [{ host: 'old.example', path: '', to: 'https://new.example' }],
    id: (_component, id) => (id === '7' ? '70' : undefined),
    path: () => undefined,
    report: (done) => void reports.push(done),
  },
}

test('texts, addresses and values are rewritten, and the outcome of the links of each is reported', () => {
  expect(linked('<a href="//old.example/x">', references)).toBe('<a href="//new.example/x">')
  expect(linkedAddress('https://old.example', references)).toBe('https://new.example')
  expect(linkedJson({ productId: 8, at: 'https://old.example/' }, references)).toEqual({
    productId: 8,
    at: 'https://new.example/',
  })
  expect(linkedFields({ name: 'n', html: '<b data-product-id=7>' }, ['html', 'other'], references)).toEqual({
    html: '<b data-product-id=70>',
  })
  expect(reports.map(({ rewritten, unresolved }) => [rewritten, ...unresolved])).toEqual([[1], [1], [1], [1]])
})

test('what is no text, and what the destination says of itself, stays as it is', () => {
  for (const text of [null, undefined, 7, '']) expect(linked(text, references)).toBe(text)
  expect(linked('<a href="//old.example/x">', identity)).toBe('<a href="//old.example/x">')
  expect(linkedAddress('//old.example/x', identity)).toBe('//old.example/x')
  expect(linkedJson({ a: '//old.example/x' }, identity)).toEqual({ a: '//old.example/x' })
})
