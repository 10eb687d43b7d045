import { dictionary } from '@zxcvbn-ts/language-common'
import { expect, test } from 'vitest'
import { refuseGuessable } from './passwords.ts'

const olive = {
  firstName: 'Olive',
  lastName: 'Réed',
  email: 'o.huxley@lamps.example',
  organisations: ['Blue Moon & Co'],
}

/** @returns the problem; undefined if the password is accepted */
async function problemOf(password: string, names = olive): Promise<string | undefined> {
  return refuseGuessable(password, names).then(
    () => undefined,
    ({ errors }) => errors.password.join(' '),
  )
}

test('S33: none of the 10,000 passwords that are used the most is accepted', async () => {
  const mostUsed = (dictionary['passwords-common'] ?? []).slice(0, 10_000).filter(({ length }) => length >= 12)
  expect(mostUsed.length).toBeGreaterThan(20)
  for (const password of mostUsed)
    expect([password, await problemOf(password)]).toEqual([password, expect.stringContaining('too easy to guess')])
})

test.each([
  'passwordpassword',
  'Password1234',
  'P@ssword1234',
  'aaaaaaaaaaaa',
  'abcdefghijkl',
  '123456789012',
  'qwertyuiop[]',
  'letmeinletmein',
  `${'a'.repeat(64)}`,
])('S33: %s is a password that is tried first', async (password) => {
  expect(await problemOf(password)).toContain('too easy to guess')
})

test.each([
  'olive reed 1990',
  'Reed-Olive-1990',
  'OLIVE.RÉED!!!!',
  'oliveoliveolive',
  'o.huxley@lamps',
  'blue moon 2026',
  'BlueMoonCo2026',
  'Storeferry2026',
])('S33: %s is a name with little else', async (password) => {
  expect(await problemOf(password)).toBe(
    'Must have at least 8 letters and digits beside your name, your email address and the name of your organization.',
  )
})

test.each(['R33d0l1v3!!!', 'ol1v3r33d1990'])('S33: %s is a name, spelt with digits', async (password) => {
  expect(await problemOf(password)).toContain('too easy to guess')
})

test.each([
  'a password long enough',
  'correct horse battery staple',
  'qzvtmwkjhbxr',
  'olive trees in a blue bottle',
  'короткий рассказ',
  '冬の朝に食べる温かい味噌汁',
  'x'.repeat(8) + crypto.randomUUID(),
])('S33: %s is accepted', async (password) => {
  expect(await problemOf(password)).toBeUndefined()
})

test('S33: a name of two letters forbids no password that happens to contain them', async () => {
  const li = { firstName: 'Al', lastName: 'Li', email: 'al@li.example', organisations: ['Oz'] }
  expect(await problemOf('alligators like ozone', li)).toBeUndefined()
})
