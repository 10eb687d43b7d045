import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/**
 * Where a secret is stored. Authenticated together with the value, so a value copied to another place does not decrypt.
 */
export interface SecretContext {
  table: string
  column: string
  row: string
  /** Null for secrets of the service itself, such as signing keys. */
  organisation: string | null
}

export interface MasterKey {
  masterKey: Buffer
  /** At most 255 bytes. By default a fingerprint that reveals nothing about the key. */
  keyId?: string
}

export interface Keyring {
  /**
   * @param keyId from `holdWritingKey`, in the transaction that stores the value, because a rotation changes the key
   * while servers run
   * @throws if this process was not given that key
   */
  encrypt(plaintext: string | Buffer, context: SecretContext, keyId: string): Buffer
  /**
   * @throws if the key is not in the ring, or if the value was changed or moved. The message never contains any part of
   * it.
   */
  decrypt(sealed: Buffer, context: SecretContext): Buffer
  /**
   * 32 bytes for a purpose other than encryption, such as the HMAC of shoppers' natural keys. Rotations do not change
   * them.
   */
  subkey(purpose: string): Buffer
  /** The same as a key, made once: making one takes longer than an HMAC of a short text. */
  key(purpose: string): KeyObject
}

/** The first byte of a sealed value. A new layout or cipher gets the next number. */
const layout = 1
const keyLength = 32
/** 96 random bits, the standard length for GCM. Safe up to 2^32 values per subkey. Source: NIST SP 800-38D, 8.3. */
const nonceLength = 12
const tagLength = 16

/**
 * Encryption at rest (S8): AES-256-GCM, with one HKDF-SHA256 subkey per column.
 *
 * A sealed value consists of layout (1 byte), length of the key id (1), key id, nonce (12), ciphertext and tag (16).
 * Everything before the nonce is authenticated too.
 *
 * @param keys of the database: the one with which it is written, and older or newer ones of a rotation
 * @param root the first master key of the database, from which subkeys for other purposes are derived (decision 0024)
 */
export function createKeyring(keys: MasterKey[], root: Buffer): Keyring {
  const subkeys = new Map(keys.map((key) => [keyIdOf(key), subkeysOf(key.masterKey)]))
  const rootSubkey = subkeysOf(root)
  return {
    encrypt(plaintext, context, keyId) {
      const subkey = subkeys.get(keyId)
      if (!subkey)
        throw new Error(
          `Values are now encrypted with key ${JSON.stringify(keyId)}, which this process does not have: restart it with that key.`,
        )
      return seal(plaintext, context, keyId, subkey(columnPurpose(context)))
    },
    decrypt(sealed, context) {
      const parts = takeApart(sealed, context)
      const subkey = subkeys.get(parts.keyId)
      if (!subkey)
        throw new Error(
          `${authenticatedData(context)} was encrypted with key ${JSON.stringify(parts.keyId)}, which was not given.`,
        )
      return open(parts, context, subkey(columnPurpose(context)))
    },
    subkey: (purpose) => rootSubkey(`purpose:${purpose}`).export(),
    key: (purpose) => rootSubkey(`purpose:${purpose}`),
  }
}

/** Stored in the database, to detect a start with a wrong key before anything is read or written. */
export function keyCheckValue(masterKey: Buffer): Buffer {
  return derive(masterKey, 'purpose:key check')
}

/** Compares in constant time. */
export function matchesKeyCheckValue(masterKey: Buffer, stored: Buffer): boolean {
  const expected = keyCheckValue(masterKey)
  return stored.length === expected.length && timingSafeEqual(stored, expected)
}

/** @returns the id of the key that encrypted the value. `db/core/sealed-columns.ts` reads it the same way in SQL. */
export function sealedKeyId(sealed: Buffer): string | undefined {
  const idEnd = 2 + (sealed[1] ?? 0)
  if (sealed[0] !== layout || sealed.length < idEnd + nonceLength + tagLength) return undefined
  return sealed.subarray(2, idEnd).toString('utf8')
}

/**
 * A master key as configured: 32 bytes in hex, base64 or base64url.
 *
 * @param setting the name of the setting, for the message
 * @param remedy what else to do than make a key
 * @throws with the remedy, never with the given text
 */
export function parseMasterKey(
  text: string,
  setting = 'STOREFERRY_KEY',
  remedy = 'make one with "openssl rand -base64 32"',
): Buffer {
  const given = text.trim()
  if (/^[0-9a-f]{64}$/i.test(given)) return Buffer.from(given, 'hex')
  // 43 characters hold 258 bits. The last two must be zero, because otherwise a key could be written in several ways.
  if (/^[\w+/-]{42}[AEIMQUYcgkosw048]=?$/.test(given)) return Buffer.from(given, 'base64')
  throw new Error(`${setting} must be 32 random bytes in base64 (44 characters) or hex (64 characters); ${remedy}.`)
}

/** @returns the id stored with each value; by default a fingerprint */
export function keyIdOf({ masterKey, keyId }: MasterKey): string {
  if (masterKey.length !== keyLength)
    throw new Error(`A master key has ${keyLength} bytes, this one has ${masterKey.length}.`)
  const id = keyId ?? derive(masterKey, 'key id').toString('hex', 0, 8)
  const length = Buffer.byteLength(id)
  if (length === 0 || length > 255) throw new Error(`A key id has 1 to 255 bytes, this one has ${length}.`)
  return id
}

function subkeysOf(masterKey: Buffer): (purpose: string) => KeyObject {
  const derived = new Map<string, KeyObject>()
  return (purpose) => {
    const subkey = derived.get(purpose) ?? createSecretKey(derive(masterKey, purpose))
    derived.set(purpose, subkey)
    return subkey
  }
}

function derive(masterKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), `storeferry/v1/${purpose}`, keyLength))
}

function columnPurpose({ table, column }: SecretContext): string {
  return `column:${JSON.stringify([table, column])}`
}

interface Sealed {
  keyId: string
  header: Buffer
  nonce: Buffer
  ciphertext: Buffer
  tag: Buffer
}

function seal(plaintext: string | Buffer, context: SecretContext, keyId: string, subkey: KeyObject): Buffer {
  const id = Buffer.from(keyId)
  const header = Buffer.concat([Buffer.from([layout, id.length]), id])
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', subkey, nonce, { authTagLength: tagLength })
  cipher.setAAD(associatedData(header, context))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([header, nonce, ciphertext, cipher.getAuthTag()])
}

function takeApart(sealed: Buffer, context: SecretContext): Sealed {
  const keyId = sealedKeyId(sealed)
  if (keyId === undefined) throw new Error(`${authenticatedData(context)} does not hold an encrypted value.`)
  const nonceAt = 2 + (sealed[1] ?? 0)
  return {
    keyId,
    header: sealed.subarray(0, nonceAt),
    nonce: sealed.subarray(nonceAt, nonceAt + nonceLength),
    ciphertext: sealed.subarray(nonceAt + nonceLength, -tagLength),
    tag: sealed.subarray(-tagLength),
  }
}

function open({ header, nonce, ciphertext, tag }: Sealed, context: SecretContext, subkey: KeyObject): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', subkey, nonce, { authTagLength: tagLength })
  decipher.setAAD(associatedData(header, context))
  decipher.setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()])
  } catch (cause) {
    throw new Error(
      `${authenticatedData(context)} was changed, moved from another row, or encrypted with another key.`,
      { cause },
    )
  }
}

/** A JSON array, so that no two contexts have the same text. */
function associatedData(header: Buffer, { table, column, row, organisation }: SecretContext): Buffer {
  return Buffer.concat([header, Buffer.from(JSON.stringify([table, column, row, organisation]))])
}

function authenticatedData({ table, column, row }: SecretContext): string {
  return `${table}.${column} of row ${row}`
}
