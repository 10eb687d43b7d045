const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** As authenticator apps read a secret. Source: RFC 4648, 6. */
export function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
