import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createKeyring,
  keyCheckValue,
  keyIdOf,
  type MasterKey,
  matchesKeyCheckValue,
  parseMasterKey,
  sealedKeyId,
} from './encryption.ts'

const masterKey = Buffer.alloc(32, 7)
const otherKey = Buffer.alloc(32, 8)
/** A ring that encrypts with its first key. */
function ringOf(first: MasterKey, older: MasterKey[] = [], root = first.masterKey) {
  const { encrypt, ...ring } = createKeyring([first, ...older], root)
  return {
    ...ring,
    encrypt: (plaintext: Parameters<typeof encrypt>[0], at: Parameters<typeof encrypt>[1]) =>
      encrypt(plaintext, at, keyIdOf(first)),
  }
}
const keyring = ringOf({ masterKey, keyId: 'first' })
const context = { table: 'stores', column: 'token', row: '41', organisation: 'acme' }

test('S8: encrypted values decrypt to the same bytes, text and binary, empty and long', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
      const plaintext = Buffer.from(bytes)
      expect(keyring.decrypt(keyring.encrypt(plaintext, context), context)).toEqual(plaintext)
    }),
  )
  expect(keyring.decrypt(keyring.encrypt('Ätoken', context), context).toString()).toBe('Ätoken')
})

test('S8: encrypting the same secret twice gives different bytes, neither with its text', () => {
  const sealed = Array.from({ length: 200 }, () => keyring.encrypt('planted-secret', context))
  expect(new Set(sealed.map((value) => value.toString('hex'))).size).toBe(200)
  expect(sealed.some((value) => value.includes('planted-secret'))).toBe(false)
})

test.each([
  ['table', { table: 'clients' }],
  ['column', { column: 'secret' }],
  ['row', { row: '42' }],
  ['organisation', { organisation: 'other' }],
  ['organisation against none', { organisation: null }],
])('S8: a value moved to another %s does not decrypt there', (_, moved) => {
  const sealed = keyring.encrypt('token', context)
  expect(() => keyring.decrypt(sealed, { ...context, ...moved })).toThrow(/was changed, moved from another row/)
})

test('S8: parts of the context cannot be shifted into each other', () => {
  const sealed = keyring.encrypt('token', { ...context, row: '4","1', organisation: 'x' })
  expect(() => keyring.decrypt(sealed, { ...context, row: '4', organisation: '1","x' })).toThrow()
})

test('S8: a change of any single byte is refused', () => {
  const sealed = keyring.encrypt('token', context)
  for (let position = 0; position < sealed.length; position++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(position) ^ 1, position)
    expect(() => keyring.decrypt(changed, context)).toThrow()
  }
})

test.each([0, 1, 2, 10, 34])('S8: a value cut to %i bytes is refused as not encrypted', (length) => {
  const sealed = keyring.encrypt('', context)
  expect(sealed.length).toBe(35)
  expect(() => keyring.decrypt(sealed.subarray(0, length), context)).toThrow('stores.token of row 41 does not hold')
})

test('S8: a value carries its key id, and a keyring without that key names the missing one', () => {
  const sealed = keyring.encrypt('token', context)
  expect(sealedKeyId(sealed)).toBe('first')
  const other = ringOf({ masterKey: otherKey, keyId: 'second' })
  expect(() => other.decrypt(sealed, context)).toThrow('encrypted with key "first", which was not given')
})

test('S8: during a rotation the new key encrypts and the older one still decrypts', () => {
  const sealed = keyring.encrypt('token', context)
  const rotating = ringOf({ masterKey: otherKey, keyId: 'second' }, [{ masterKey, keyId: 'first' }])
  expect(rotating.decrypt(sealed, context).toString()).toBe('token')
  expect(sealedKeyId(rotating.encrypt('token', context))).toBe('second')
})

test('S8: each purpose has its own subkey, and none is the master key', () => {
  const subkeys = ['natural keys', 'cursors', 'key check'].map((purpose) => keyring.subkey(purpose).toString('hex'))
  expect(new Set([...subkeys, masterKey.toString('hex')]).size).toBe(4)
})

test('S8: subkeys of the root do not depend on the encrypting key', () => {
  const rotated = ringOf({ masterKey: otherKey }, [{ masterKey }], masterKey)
  expect(rotated.subkey('natural keys')).toEqual(keyring.subkey('natural keys'))
  expect(ringOf({ masterKey: otherKey }).subkey('natural keys')).not.toEqual(keyring.subkey('natural keys'))
})

test('S8: a process without the encrypting key names the missing one', () => {
  const ring = createKeyring([{ masterKey, keyId: 'first' }], masterKey)
  expect(() => ring.encrypt('token', context, 'second')).toThrow(
    /with key "second", which this process does not have: restart it/,
  )
})

test('S8: the key check value is the same for the same key and differs for any other', () => {
  const stored = keyCheckValue(masterKey)
  expect(stored).toEqual(keyring.subkey('key check'))
  expect(matchesKeyCheckValue(masterKey, stored)).toBe(true)
  expect(matchesKeyCheckValue(otherKey, stored)).toBe(false)
  expect(matchesKeyCheckValue(masterKey, stored.subarray(1))).toBe(false)
})

test('S8: a key without an id gets a fingerprint as its id', () => {
  const keyId = keyIdOf({ masterKey })
  expect(keyId).toMatch(/^[0-9a-f]{16}$/)
  expect(keyIdOf({ masterKey: otherKey })).not.toBe(keyId)
  expect(sealedKeyId(ringOf({ masterKey }).encrypt('token', context))).toBe(keyId)
})

test('S8: a master key is read from hex, base64 and base64url', () => {
  const key = randomBytes(32)
  for (const encoding of ['hex', 'base64', 'base64url'] as const) {
    expect(parseMasterKey(` ${key.toString(encoding)}\n`)).toEqual(key)
  }
})

test.each([
  ['31 bytes in hex', 'ab'.repeat(31)],
  ['33 bytes in hex', 'ab'.repeat(33)],
  ['31 bytes in base64', Buffer.alloc(31, 1).toString('base64')],
  ['33 bytes in base64', Buffer.alloc(33, 1).toString('base64')],
  ['a second spelling of the same bytes', `${'A'.repeat(42)}B=`],
  ['a pass phrase', 'correct horse battery staple correct horse b'],
  ['nothing', ''],
])('S8: %s is refused with the remedy and without repeating it', (_, text) => {
  const refusal = () => parseMasterKey(text)
  expect(refusal).toThrow('make one with "openssl rand -base64 32"')
  if (text) expect(refusal).not.toThrow(text)
})

test.each([31, 33])('S8: a master key of %i bytes makes no keyring', (length) => {
  expect(() => createKeyring([{ masterKey: Buffer.alloc(length) }], masterKey)).toThrow('A master key has 32 bytes')
})
