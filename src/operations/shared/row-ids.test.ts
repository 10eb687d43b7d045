import { expect, test } from 'vitest'
import { createKeyring } from '../../accounts/encryption.ts'
import { openRowId, sealRowId } from './row-ids.ts'

const keyringOf = (byte: number) => createKeyring([], Buffer.alloc(32, byte))
const keyring = keyringOf(1)

test('S2: a row id is the same each time, leads back to its row, and shows nothing of the number', () => {
  const ids = ['1', '2', '9007199254740993', '9223372036854775807']
  const sealed = ids.map((id) => sealRowId(keyring, 'differences of a', id))
  expect(sealed).toEqual(ids.map((id) => sealRowId(keyring, 'differences of a', id)))
  expect(sealed.map((one) => openRowId(keyring, 'differences of a', one))).toEqual(ids)
  for (const one of sealed) expect(one).toMatch(/^[\w.][\w-]{21}$/)
  const [first = '', second = ''] = sealed
  const same = [...first].filter((letter, at) => letter === second[at]).length
  expect(same).toBeLessThan(8)
})

test('no row id begins like an option of a command line, and ids from when some did lead to the same rows', () => {
  const ids = Array.from({ length: 500 }, (_, at) => String(at))
  const sealed = ids.map((id) => sealRowId(keyring, 'differences of a', id))
  expect(sealed.filter((one) => one.startsWith('-'))).toEqual([])
  const before = sealed.map((one) => one.replace(/^\./, '-'))
  expect(before.filter((one) => one.startsWith('-'))).not.toEqual([])
  expect(before.map((one) => openRowId(keyring, 'differences of a', one))).toEqual(ids)
})

test.each([
  ['other rows', (id: string) => openRowId(keyring, 'differences of b', id)],
  ['another key', (id: string) => openRowId(keyringOf(2), 'differences of a', id)],
  [
    'a changed id',
    (id: string) => openRowId(keyring, 'differences of a', `${id.startsWith('A') ? 'B' : 'A'}${id.slice(1)}`),
  ],
  ['a number', () => openRowId(keyring, 'differences of a', '1')],
  ['nothing', () => openRowId(keyring, 'differences of a', '')],
])('for %s a row id leads to no row', (_, open) => {
  expect(open(sealRowId(keyring, 'differences of a', '1'))).toBeUndefined()
})
