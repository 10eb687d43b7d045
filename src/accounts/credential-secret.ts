import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const clientIdPrefix = 'sfc_'

export function newClientId(): string {
  return clientIdPrefix + randomBytes(15).toString('base64url')
}

export interface NewSecret {
  /** Shown once and never stored. */
  secret: string
  secretHash: Buffer
  lastFour: string
}

export function newSecret(): NewSecret {
  const secret = randomBytes(32).toString('base64url')
  return { secret, secretHash: sha256(secret), lastFour: secret.slice(-4) }
}

/** A secret of 256 random bits needs no slow hash (S5). */
export function secretMatches(secret: string, secretHash: Buffer): boolean {
  return timingSafeEqual(sha256(secret), secretHash)
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
