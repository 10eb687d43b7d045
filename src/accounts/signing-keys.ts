import { randomUUID } from 'node:crypto'
import { type CryptoKey, errors, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Clock } from '../clock.ts'
import { limits } from '../contract/primitives/limits.ts'
import { recordAudit } from '../db/accounts/audit.ts'
import {
  deleteSigningKeys,
  findCurrentSigningKey,
  findSigningKey,
  insertSigningKey,
  lockSigningKeyCreation,
  retireSigningKeys,
  type SigningKeyRow,
} from '../db/accounts/signing-keys.ts'
import type { Database, InTransaction } from '../db/core/database.ts'
import { holdWritingKey } from '../db/core/encryption-check.ts'
import { actorOf } from './api-credentials.ts'
import type { Administrator } from './caller.ts'
import type { Keyring } from './encryption.ts'

/** The keys that sign bearer tokens. They are in PostgreSQL, with the private keys encrypted (S7). */
export interface SigningKeys {
  /** The current signing key. The first call on an empty database creates it. */
  current(): Promise<{ kid: string; privateKey: CryptoKey }>
  /**
   * Every request checks separately whether the key is still valid.
   * @throws jose's JWKSNoMatchingKey
   */
  publicKey(kid: string | undefined): Promise<CryptoKey>
  /** Every token signed with a key that was retired before this time has expired. */
  retiredAfter(): Date
  /** Makes a new key the signing key. Old keys verify until their tokens expire, unless they are compromised. */
  rotate(by: Administrator, options?: { compromised?: boolean }): Promise<{ kid: string }>
}

interface Deps {
  database: Database
  clock: Clock
  keyring: Keyring
}

export function createSigningKeys({ database, clock, keyring }: Deps): SigningKeys {
  /** Imported keys by kid, which always has the same key. Only existing keys are cached, so there are few. */
  const imported = new Map<string, CryptoKey>()

  async function current() {
    const row = (await findCurrentSigningKey(database)) ?? (await createFirst())
    const jwk: JWK = JSON.parse(keyring.decrypt(row.privateKeyEncrypted, secretContext(row.kid)).toString())
    return { kid: row.kid, privateKey: await importKey(jwk) }
  }

  function createFirst(): Promise<SigningKeyRow> {
    return database.transaction().execute(async (transaction) => {
      await lockSigningKeyCreation(transaction)
      return (
        (await findCurrentSigningKey(transaction)) ?? (await create(transaction, await holdWritingKey(transaction)))
      )
    })
  }

  async function create(transaction: InTransaction, writingKey: string): Promise<SigningKeyRow> {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true })
    const kid = randomUUID()
    const secret = JSON.stringify(await exportJWK(privateKey))
    const privateKeyEncrypted = keyring.encrypt(secret, secretContext(kid), writingKey)
    const row = { kid, publicJwk: { ...(await exportJWK(publicKey)) }, privateKeyEncrypted }
    await insertSigningKey(transaction, { ...row, createdAt: clock.now() })
    return row
  }

  async function publicKey(kid: string | undefined): Promise<CryptoKey> {
    const known = kid === undefined ? undefined : (imported.get(kid) ?? (await load(kid)))
    if (!known) throw new errors.JWKSNoMatchingKey()
    return known
  }

  async function load(kid: string): Promise<CryptoKey | undefined> {
    const row = /^[\w-]{1,64}$/.test(kid) ? await findSigningKey(database, kid) : undefined
    if (!row) return undefined
    const key = await importKey(row.publicJwk)
    imported.set(kid, key)
    return key
  }

  function rotate(by: Administrator, { compromised = false } = {}): Promise<{ kid: string }> {
    return database.transaction().execute(async (transaction) => {
      await lockSigningKeyCreation(transaction)
      const writingKey = await holdWritingKey(transaction)
      if (compromised) await deleteSigningKeys(transaction)
      else await retireSigningKeys(transaction, clock.now())
      const { kid } = await create(transaction, writingKey)
      const entry = { action: 'signing-key.rotate' as const, details: { kid, compromised }, at: clock.now() }
      await recordAudit(transaction, { organisationId: null, ...actorOf(by), ...entry })
      return { kid }
    })
  }

  const retiredAfter = () => new Date(clock.now().getTime() - limits.bearerTokenSeconds * 1000)
  return { current, publicKey, retiredAfter, rotate }
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  // importJWK only returns bytes for symmetric keys, which we never store.
  return (await importJWK(jwk, 'EdDSA')) as CryptoKey
}

function secretContext(kid: string) {
  return { table: 'signing_keys', column: 'private_key_encrypted', row: kid, organisation: null }
}
