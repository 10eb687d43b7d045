import { createPrivateKey } from 'node:crypto'
import type { JWK } from 'jose'
import type { Keyring } from '../accounts/encryption.ts'

/** Source: RFC 8410, 7: the DER in front of the 32 bytes of an Ed25519 private key. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * The key the authorisation server publishes. Its tokens are opaque, so nothing is signed with it: it belongs to the master key and is
 * apart from those of bearer tokens (S7).
 */
export function signingKeys(keyring: Keyring): { keys: JWK[] } {
  const seed = keyring.subkey('oauth signing key').subarray(0, 32)
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' })
  return { keys: [{ ...(key.export({ format: 'jwk' }) as JWK), use: 'sig', alg: 'EdDSA' }] }
}
