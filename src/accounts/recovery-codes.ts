import { randomInt } from 'node:crypto'
import { limits } from '../contract/primitives/limits.ts'
import { sha256 } from './credential-secret.ts'

/** Without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
/** 79 bits, too many to guess even with the hashes at hand, so no slow hash is needed. */
const length = 16

/** Each code has four groups, so that it is easy to write down. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: limits.recoveryCodes }, () => {
    const letters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)])
    return (letters.join('').match(/.{4}/g) ?? []).join('-')
  })
}

/** The hash is the same however the code is typed: in capitals, without hyphens, or with spaces. */
export function recoveryCodeHash(code: string): Buffer {
  return sha256(code.toLowerCase().replace(/[\s-]/g, ''))
}
