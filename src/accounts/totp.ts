import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** The defaults of authenticator apps: SHA-1, 30 seconds, 6 digits. Source: RFC 6238, and Google's "Key Uri Format". */
const stepSeconds = 30
const digits = 6
/** Source: RFC 4226, 4, R6. */
const secretBytes = 20
/**
 * By how many steps the clock of a phone may differ. If it were larger, a code that someone else has seen would work
 * longer. Source: RFC 6238, 5.2.
 */
const tolerance = 1

export function newTotpSecret(): Buffer {
  return randomBytes(secretBytes)
}

export function totpStepAt(at: Date): number {
  return Math.floor(at.getTime() / 1000 / stepSeconds)
}

/** Source: RFC 4226, 5.3, dynamic truncation. */
export function totpCode(secret: Buffer, step: number, { length = digits, hash = 'sha1' } = {}): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac(hash, secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** length
  return String(number).padStart(length, '0')
}

/**
 * Compares every step, in constant time.
 * @returns the step that a code belongs to; undefined if it is wrong
 */
export function totpStepOf(secret: Buffer, code: string, at: Date): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const given = Buffer.from(code)
  const present = totpStepAt(at)
  const steps = Array.from({ length: 2 * tolerance + 1 }, (_, index) => present - tolerance + index)
  return steps.filter((step) => timingSafeEqual(Buffer.from(totpCode(secret, step)), given)).at(-1)
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Without padding, as apps expect it. Source: RFC 4648, 6. */
export function base32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The content of the QR code for an app. Source: Google's "Key Uri Format". */
export function totpAddress(secret: Buffer, email: string): string {
  const issuer = 'Storeferry'
  const parameters = new URLSearchParams({ secret: base32(secret), issuer })
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?${parameters}`
}
