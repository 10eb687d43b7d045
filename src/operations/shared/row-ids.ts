import { createCipheriv, createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../../accounts/encryption.ts'

/** One AES block: the row number, and a mark of what is numbered. */
const numberBytes = 8
const markBytes = 8
/** Without padding in base64url. */
const shape = /^[\w-]{22}$/

/**
 * A row number as callers see it, always the same for the same row. The number itself would reveal how many rows there
 * are, including those of other organisations (S2).
 *
 * @param rows what is numbered, such as the differences of one run; elsewhere the id is invalid
 */
export function sealRowId(keyring: Keyring, rows: string, id: string | number): string {
  const block = Buffer.concat([Buffer.alloc(numberBytes), markOf(rows)])
  block.writeBigInt64BE(BigInt(id))
  return createCipheriv('aes-256-ecb', keyring.subkey('row ids'), null)
    .setAutoPadding(false)
    .update(block)
    .toString('base64url')
}

/** @returns undefined for anything that is not the id of such a row */
export function openRowId(keyring: Keyring, rows: string, sealed: string): string | undefined {
  if (!shape.test(sealed)) return undefined
  const decipher = createDecipheriv('aes-256-ecb', keyring.subkey('row ids'), null).setAutoPadding(false)
  const block = decipher.update(Buffer.from(sealed, 'base64url'))
  if (!timingSafeEqual(block.subarray(numberBytes), markOf(rows))) return undefined
  return String(block.readBigInt64BE())
}

function markOf(rows: string): Buffer {
  return createHash('sha256').update(rows).digest().subarray(0, markBytes)
}
