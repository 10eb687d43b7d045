import { expect, test } from 'vitest'
import { ownWords, platformWords } from './refusal-reason.ts'

const refused = (title: string, errors: Record<string, string> = {}, httpStatus = 422) => ({
  title,
  errors,
  httpStatus,
})

test('a refusal is given in the words of the platform, or with its status where it gave none', () => {
  expect(platformWords(refused('Missing fields.', { name: 'required' }))).toBe('Missing fields.; name: required')
  expect(platformWords(refused('', { name: 'required.' }))).toBe('name: required')
  expect(platformWords(refused('', {}, 400))).toBe('HTTP 400, without a reason')
})

test.each([
  ['The store has no currency EUR', 'the store does not have its currency'],
  ['Currency EUR is not available', 'the store does not have its currency'],
  ['The currency exchange rate must be a number', 'a value is not valid'],
  ['One or more products do not have enough stock', 'there is not enough in stock'],
  ['The email robin@example.com is already in use', 'the store already has one like it'],
  ['Customer group Robin not found', 'something that it refers to does not exist there'],
  ['Robin is too long', 'a value is beyond a limit'],
  ['first_name is required', 'something required is missing'],
  ['Robin is not a valid phone: invalid', 'a value is not valid'],
  ['Robin', 'the reason is not one that can be shown'],
])('S9: "%s" about a personal item becomes our own words', (said, words) => {
  expect(ownWords(refused(said), { first_name: 'Robin' })).toBe(`HTTP 422, ${words}`)
})

test('S9: fields of a personal item are named, and nothing that is not its field', () => {
  const body = { first_name: 'Robin', addresses: [{ city: 'Ulm' }] }
  const errors = { 'addresses.0.city': 'is required', Ulm: 'is required', 'addresses.Robin': 'is required' }
  expect(ownWords(refused('Invalid', errors), body)).toBe('HTTP 422, something required is missing (addresses.0.city)')
})
