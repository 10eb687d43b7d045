import { createCipheriv, createDecipheriv, createHash, timingSafeEqual } from 'node:crypto'
import type { Keyring } from '../../accounts/encryption.ts'

/** Together one AES block: the row number, and a mark for the kind of rows. */
const numberBytes = 8
const markBytes = 8
/** One block in base64url, without padding. Its first character may be ".", or "-" in ids of earlier versions. */
const shape = /^[\w.-][\w-]{21}$/

/**
 * The id that callers see instead of a row number, always the same for the same row. The number would reveal how many
 * rows there are, including those of other organisations (S2).
 *
 * It never begins with "-": a command line would take such an id for an option.
 *
 * @param rows which rows are numbered, such as the differences of one run. The id is invalid for any others.
 */
export function sealRowId(keyring: Keyring, rows: string, id: string | number): string {
  const block = Buffer.concat([Buffer.alloc(numberBytes), markOf(rows)])
  block.writeBigInt64BE(BigInt(id))
  return createCipheriv('aes-256-ecb', keyring.key('row ids'), null)
    .setAutoPadding(false)
    .update(block)
    .toString('base64url')
    .replace(/^-/, '.')
}

/** @returns undefined for anything that is not the id of such a row */
export function openRowId(keyring: Keyring, rows: string, sealed: string): string | undefined {
  if (!shape.test(sealed)) return undefined
  const decipher = createDecipheriv('aes-256-ecb', keyring.key('row ids'), null).setAutoPadding(false)
  const block = decipher.update(Buffer.from(sealed.replace(/^\./, '-'), 'base64url'))
  if (!timingSafeEqual(block.subarray(numberBytes), markOf(rows))) return undefined
  return String(block.readBigInt64BE())
}

function markOf(rows: string): Buffer {
  return createHash('sha256').update(rows).digest().subarray(0, markBytes)
}
