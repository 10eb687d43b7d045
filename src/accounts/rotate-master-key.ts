import type { Clock } from '../clock.ts'
import { recordAudit } from '../db/accounts/audit.ts'
import type { Database, InTransaction } from '../db/core/database.ts'
import { holdWritingKey, lockEncryptionCheck, saveEncryptionCheck } from '../db/core/encryption-check.ts'
import {
  countSealed,
  listSealedOtherwise,
  replaceSealed,
  type SealedColumn,
  type SealedValue,
  sealedColumns,
} from '../db/core/sealed-columns.ts'
import { actorOf } from './api-credentials.ts'
import type { Administrator } from './caller.ts'
import { createKeyring, type Keyring, keyCheckValue, keyIdOf } from './encryption.ts'
import { openRoot, rootContext } from './encryption-key.ts'

export interface KeyRotation {
  /** Id of the key with which the database is now written. */
  keyId: string
  /** Where the values are that none of the keys can decrypt. */
  unreadable: string[]
  /** How many values still need a key other than the new one. */
  left: { table: string; count: number }[]
}

interface Deps {
  database: Database
  clock: Clock
}

/** Values encrypted again per transaction. If it were larger, connecting a store would wait longer. Our choice. */
const batchSize = 100

/**
 * Makes the first of these keys the one with which the database is written (S8, decision 0024): at once for new values,
 * then one by one for existing values. An interrupted rotation can be continued, because each value contains the id of
 * its key.
 *
 * @param onProgress called before each batch with the number of values left in a table
 */
export async function rotateMasterKey(
  { database, clock }: Deps,
  masterKeys: [Buffer, ...Buffer[]],
  by: Administrator,
  onProgress: (left: { table: string; count: number }) => unknown,
): Promise<KeyRotation> {
  const keyId = keyIdOf({ masterKey: masterKeys[0] })
  const root = await switchKey({ database, clock }, masterKeys, by)
  const keyring = createKeyring(
    masterKeys.map((masterKey) => ({ masterKey })),
    root,
  )
  const unreadable: string[] = []
  for (const column of sealedColumns) {
    let after: string | undefined = ''
    while (after !== undefined) {
      for (const left of await countLeft(database, keyId)) if (left.table === column.table) await onProgress(left)
      const batch: Batch = await database
        .transaction()
        .execute((transaction) => sealBatch(transaction, column, keyring, { keyId, after: after ?? '' }))
      unreadable.push(...batch.unreadable)
      after = batch.last
    }
  }
  return { keyId, unreadable, left: await countLeft(database, keyId) }
}

/**
 * After the commit nothing is encrypted with another key, because every writer locks the row with the key's id.
 * @returns the root
 */
function switchKey({ database, clock }: Deps, masterKeys: [Buffer, ...Buffer[]], by: Administrator): Promise<Buffer> {
  const [masterKey] = masterKeys
  const keyId = keyIdOf({ masterKey })
  return database.transaction().execute(async (transaction) => {
    const check = await lockEncryptionCheck(transaction)
    const root = openRoot(check, masterKeys)
    if (check?.keyId === keyId) return root
    const rootSealed = createKeyring([{ masterKey }], root).encrypt(root, rootContext, keyId)
    await saveEncryptionCheck(transaction, { keyId, value: keyCheckValue(masterKey), rootSealed })
    const entry = { action: 'master-key.rotate' as const, details: { keyId }, at: clock.now() }
    await recordAudit(transaction, { organisationId: null, ...actorOf(by), ...entry })
    return root
  })
}

interface Batch {
  unreadable: string[]
  /** The last row of this batch, after which the next begins; undefined after the last batch. */
  last: string | undefined
}

async function sealBatch(
  transaction: InTransaction,
  column: SealedColumn,
  keyring: Keyring,
  { keyId, after }: { keyId: string; after: string },
): Promise<Batch> {
  if ((await holdWritingKey(transaction)) !== keyId)
    throw new Error('Another rotation has started, so this one stops; the other one continues its work.')
  const values = await listSealedOtherwise(transaction, column, { keyId, after, limit: batchSize })
  const unreadable: string[] = []
  for (const value of values) {
    const context = { table: column.table, column: column.column, row: value.row, organisation: value.organisation }
    const plaintext = opened(keyring, value, context)
    if (plaintext) await replaceSealed(transaction, column, value, keyring.encrypt(plaintext, context, keyId))
    else unreadable.push(`${column.table}.${column.column} of row ${value.row}`)
  }
  return { unreadable, last: values.length < batchSize ? undefined : values.at(-1)?.row }
}

/** A damaged value must not keep the others on the old key, so it is only reported at the end. */
function opened(
  keyring: Keyring,
  { sealed }: SealedValue,
  context: Parameters<Keyring['decrypt']>[1],
): Buffer | undefined {
  try {
    return keyring.decrypt(sealed, context)
  } catch {
    return undefined
  }
}

async function countLeft(database: Database, keyId: string): Promise<KeyRotation['left']> {
  const left = new Map<string, number>()
  for (const { table, keyId: of, count } of await countSealed(database))
    if (of !== keyId) left.set(table, (left.get(table) ?? 0) + count)
  return [...left].map(([table, count]) => ({ table, count }))
}
