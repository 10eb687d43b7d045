import { expect, test } from 'vitest'
import { base32, newTotpSecret, totpAddress, totpCode, totpStepAt, totpStepOf } from './totp.ts'

/** Source: RFC 6238, appendix B. The keys repeat the same digits up to the length of the hash. */
const keyOf = (bytes: number) => Buffer.from('1234567890'.repeat(7).slice(0, bytes))
const keys = { sha1: keyOf(20), sha256: keyOf(32), sha512: keyOf(64) }

test.each([
  [59, '94287082', '46119246', '90693936'],
  [1111111109, '07081804', '68084774', '25091201'],
  [1111111111, '14050471', '67062674', '99943326'],
  [1234567890, '89005924', '91819424', '93441116'],
  [2000000000, '69279037', '90698825', '38618901'],
  [20000000000, '65353130', '77737706', '47863826'],
])('S33: the codes of second %i are those of RFC 6238', (second, ...expected) => {
  const step = totpStepAt(new Date(second * 1000))
  const codes = Object.entries(keys).map(([hash, key]) => totpCode(key, step, { length: 8, hash }))
  expect(codes).toEqual(expected)
})

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %j is that of RFC 4648', (text, expected) => {
  expect(base32(Buffer.from(text))).toBe(expected)
})

test('S33: a code is accepted in its step and in those beside it', () => {
  const secret = newTotpSecret()
  const at = new Date('2026-11-26T10:00:10Z')
  const step = totpStepAt(at)
  const accepted = [-2, -1, 0, 1, 2].map((away) => totpStepOf(secret, totpCode(secret, step + away), at))
  expect(accepted).toEqual([undefined, step - 1, step, step + 1, undefined])
})

test.each(['', '12345', '1234567', '١٢٣٤٥٦', ' 12345', '12345a'])('S33: %j is no code', (code) => {
  expect(totpStepOf(newTotpSecret(), code, new Date())).toBeUndefined()
})

test('the address for the app names the service and the person', () => {
  expect(totpAddress(Buffer.from('12345678901234567890'), 'ada+x@shop.example')).toBe(
    'otpauth://totp/Storeferry:ada%2Bx%40shop.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Storeferry',
  )
})
