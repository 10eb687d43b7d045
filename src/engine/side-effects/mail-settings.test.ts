import { expect, test } from 'vitest'
import { settingOf } from './mail-settings.ts'

/** What is read from a store that answers with this. */
function read(key: string, data: unknown) {
  const answer = { httpStatus: 200, body: { data }, headers: new Headers() }
  const store = { get: async () => answer, write: () => expect.unreachable() } as never
  return settingOf(key).read(store)
}

test.each([
  undefined,
  null,
  {},
  { order_email: null },
])('D5: an answer that does not say which mails a store sends (%j) does not count as that of a store that sends none', async (data) => {
  await expect(read('email-statuses', data)).rejects.toThrow('does not say which mails')
})

test('a store that sends no mail says so, and a channel may leave all to its store', async () => {
  const none = { invoice_email: false, order_email: false }
  expect(await read('email-statuses', none)).toEqual(none)
  expect(await read('email-statuses/1', {})).toEqual({})
})
