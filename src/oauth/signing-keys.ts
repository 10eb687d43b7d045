import { createPrivateKey } from 'node:crypto'
import type { JWK } from 'jose'
import type { Keyring } from '../accounts/encryption.ts'

/** DER prefix of the 32 bytes of an Ed25519 private key. Source: RFC 8410, 7. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * The key that the authorisation server publishes. Its tokens are opaque, so it signs nothing. Derived from the master
 * key, and separate from the keys of bearer tokens (S7).
 */
export function signingKeys(keyring: Keyring): { keys: JWK[] } {
  const seed = keyring.subkey('oauth signing key').subarray(0, 32)
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' })
  return { keys: [{ ...(key.export({ format: 'jwk' }) as JWK), use: 'sig', alg: 'EdDSA' }] }
}
