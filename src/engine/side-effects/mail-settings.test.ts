import { expect, test } from 'vitest'
import { statusesOfStore } from './mail-settings.ts'

test.each([
  undefined,
  null,
  {},
  { order_email: null },
])('D5: an answer that does not say which mails a store sends (%j) does not count as that of a store that sends none', (shown) => {
  expect(() => statusesOfStore(shown)).toThrow('does not say which mails')
})

test('a store that sends no mail says so', () => {
  const none = { invoice_email: false, order_email: false }
  expect(statusesOfStore(none)).toEqual(none)
})
