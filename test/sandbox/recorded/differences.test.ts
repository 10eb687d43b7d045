import { expect, test } from 'vitest'
import { differences } from '../../../sandbox/recorded/differences.ts'
import { recordedAnswers } from '../../../sandbox/recorded/recorded-answer.ts'

const body = { '': 'object', status: 'number', errors: 'object', 'errors.name': 'text' }
const seen = { status: 422, headers: ['x-request-id'], body, whole: true, values: { status: 422 } }
const same = { status: 422, headers: ['x-request-id', 'date'], body: { status: 422, errors: { name: 'taken' } } }

test('an answer of the same status, keys, types and headers does not differ', () => {
  expect(differences(seen, same)).toEqual([])
})

test('status, headers, keys, their types and the values that clients go by are differences', () => {
  const other = { status: 409, headers: [], body: { status: '422', errors: [{ name: 'taken' }], detail: 'no' } }
  expect(differences(seen, other)).toEqual([
    'status 409 instead of 422',
    'no header `x-request-id`',
    'no `errors.name`',
    'also `detail`',
    'also `errors[]`',
    '`status` is text instead of number',
    '`errors` is list instead of object',
    '`status` is "422" instead of 422',
  ])
})

test('where only a part of the answer is known, other keys are no difference', () => {
  const more = { ...same, body: { ...same.body, detail: 'a name is taken' } }
  expect(differences({ ...seen, whole: false }, more)).toEqual([])
})

test('an answer without a body differs from one with a body, both ways', () => {
  expect(differences(seen, { ...same, body: undefined })).toContain('no body')
  expect(differences({ status: 422, body: null, whole: true }, same)).toEqual(['a body instead of none'])
})

test('the rows of a list are one shape, and fewer of its types are no difference', () => {
  const list = {
    status: 200,
    body: { '': 'object', data: 'list', 'data[]': 'object', 'data[].price': 'null|number' },
    whole: true,
  }
  expect(differences(list, { status: 200, headers: [], body: { data: [{ price: 1 }, { price: 2 }] } })).toEqual([])
})

const answer = {
  name: 'taken',
  shows: 'A name is taken.',
  source: { address: 'https://example.com/' },
  date: '2026',
  class: 'stated',
  request: { method: 'GET', path: '/v3/customers' },
  response: { status: 200, body: null, whole: false },
}

test('a recorded answer without a source, or with one that nobody can look up, is refused', () => {
  expect(recordedAnswers.safeParse([answer]).success).toBe(true)
  const { source: _none, ...nameless } = answer
  for (const bad of [nameless, { ...answer, source: { repository: 'somebody' } }, { ...answer, source: {} }])
    expect(recordedAnswers.safeParse([bad]).success).toBe(false)
})
