import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Keyring, keyIdOf, sealedKeyId } from '../../src/accounts/encryption.ts'
import { openKeyring } from '../../src/accounts/encryption-key.ts'
import { rotateMasterKey } from '../../src/accounts/rotate-master-key.ts'
import { createSigningKeys } from '../../src/accounts/signing-keys.ts'
import { systemClock } from '../../src/clock.ts'
import { findStore, saveStore, storeTokenContext } from '../../src/db/accounts/stores.ts'
import { type Database, openDatabase } from '../../src/db/core/database.ts'
import { holdWritingKey } from '../../src/db/core/encryption-check.ts'
import { listSealedOtherwise, replaceSealed, sealedColumns } from '../../src/db/core/sealed-columns.ts'
import { createDatabase } from '../harness/postgres.ts'

const [old, next, third] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)] as const
const [oldId, nextId] = [keyIdOf({ masterKey: old }), keyIdOf({ masterKey: next })]
const anonymous = { userId: null }
const purposes = ['personal data', 'before-images', 'run role', 'list cursors', 'oauth cookies', 'oauth signing key']

let database: Database
let drop: () => Promise<void>
let organisationId: string
beforeEach(async () => {
  const created = await createDatabase()
  drop = created.drop
  database = openDatabase(created.url)
  organisationId = randomUUID()
  await sql`insert into organisations (id, name, name_key) values (${organisationId}, 'Reed Lamps', 'reed lamps')`.execute(
    database,
  )
})
afterEach(async () => {
  await database.destroy()
  await drop()
})

type Report = Parameters<typeof rotateMasterKey>[3]

function rotate(keys: [Buffer, ...Buffer[]], report: Report = () => undefined) {
  return rotateMasterKey({ database, clock: systemClock }, keys, anonymous, report)
}

/** Stores the token of a store as a server with this keyring does. */
function connect(keyring: Keyring, ...hashes: string[]) {
  return database.transaction().execute(async (transaction) => {
    const writingKey = await holdWritingKey(transaction)
    for (const hash of hashes) {
      const store = { id: randomUUID(), organisationId, hash, label: hash }
      const tokenEncrypted = keyring.encrypt(`token of ${hash}`, storeTokenContext(store), writingKey)
      await saveStore(transaction, { ...store, tokenEncrypted })
    }
  })
}

async function tokenOf(hash: string, keyring: Keyring) {
  const store = await findStore(database, organisationId, hash)
  if (!store) throw new Error(`There is no store ${hash}.`)
  return keyring.decrypt(store.tokenEncrypted, storeTokenContext(store)).toString()
}

async function keyIdsInUse(): Promise<(string | undefined)[]> {
  const { rows } = await sql<{ sealed: Buffer }>`
    select token_encrypted as sealed from stores union all select private_key_encrypted from signing_keys`.execute(
    database,
  )
  return [...new Set(rows.map(({ sealed }) => sealedKeyId(sealed)))].toSorted()
}

const signer = (keyring: Keyring) => createSigningKeys({ database, clock: systemClock, keyring })

test('S8: every column of bytes is in the rotation’s list or is not encrypted with the master key', async () => {
  const others = {
    'sessions.id_hash': 'hash',
    'one_time_links.token_hash': 'hash',
    'invitations.token_hash': 'hash',
    'idempotency_keys.key_hash': 'hash',
    'idempotency_keys.body_hash': 'hash',
    'oauth_records.id_hash': 'hash',
    'api_credentials.secret_hash': 'hash',
    'login_failures.client_id_hash': 'hash',
    'recovery_codes.code_hash': 'hash',
    'app_installations.claim_hash': 'hash',
    'runs.before_image_salt': 'salt',
    'before_images.body_sealed': 'sealed with a key of the run, which derives from the root',
    'encryption_check.value': 'identifies the key',
    'encryption_check.root_sealed': 'sealed anew in the step that names another key',
  }
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and (data_type = 'bytea' or column_name like '%encrypted%' or column_name like '%sealed%')`.execute(
    database,
  )
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...listed, ...Object.keys(others)].toSorted())
})

test('S8: a rotation while servers run: each value is readable before, during and after it', async () => {
  const before = await openKeyring(database, [old])
  await connect(before, 'north')
  const { kid } = await signer(before).current()

  const during = await openKeyring(database, [next, old])
  await connect(during, 'south')
  expect(await keyIdsInUse()).toEqual([oldId])
  for (const keyring of [before, during]) {
    expect(await tokenOf('north', keyring)).toBe('token of north')
    expect(await tokenOf('south', keyring)).toBe('token of south')
  }

  const reported: unknown[] = []
  expect(await rotate([next, old], (left) => reported.push(left))).toEqual({ keyId: nextId, unreadable: [], left: [] })
  expect(reported).toEqual([
    { table: 'stores', count: 2 },
    { table: 'signing_keys', count: 1 },
  ])
  expect(await keyIdsInUse()).toEqual([nextId])

  // A running server writes with the new key without a restart.
  await connect(during, 'west')
  expect(await keyIdsInUse()).toEqual([nextId])
  const after = await openKeyring(database, [next])
  for (const keyring of [during, after]) {
    for (const hash of ['north', 'south', 'west']) expect(await tokenOf(hash, keyring)).toBe(`token of ${hash}`)
    expect((await signer(keyring).current()).kid).toBe(kid)
  }
})

test('S8: a server without the new key reports it, and stores nothing that would be lost', async () => {
  const left = await openKeyring(database, [old])
  await connect(left, 'north')
  await rotate([next, old])
  await expect(connect(left, 'south')).rejects.toThrow(
    `encrypted with key "${nextId}", which this process does not have`,
  )
  await expect(tokenOf('north', left)).rejects.toThrow(`encrypted with key "${nextId}", which was not given`)
  expect(await findStore(database, organisationId, 'south')).toBeUndefined()
})

test('S8: the subkeys of every purpose stay the same after rotations, even after one back to the first key', async () => {
  const secretsOf = (keyring: Keyring) => purposes.map((purpose) => keyring.subkey(purpose).toString('hex'))
  const first = secretsOf(await openKeyring(database, [old]))
  await rotate([next, old])
  expect(secretsOf(await openKeyring(database, [next]))).toEqual(first)
  await rotate([third, next])
  expect(secretsOf(await openKeyring(database, [third]))).toEqual(first)
  await rotate([old, third])
  expect(secretsOf(await openKeyring(database, [old]))).toEqual(first)
})

test('S8: a rotation killed halfway resumes where it was', async () => {
  const hashes = Array.from({ length: 130 }, (_, at) => `shop${at}`)
  await connect(await openKeyring(database, [old]), ...hashes)
  const killed = rotate([next, old], ({ count }) => {
    if (count < 130) throw new Error('killed')
  })
  await expect(killed).rejects.toThrow('killed')
  expect(await keyIdsInUse()).toEqual([oldId, nextId].toSorted())

  const both = await openKeyring(database, [next, old])
  for (const hash of hashes) expect(await tokenOf(hash, both)).toBe(`token of ${hash}`)
  await connect(both, 'late')
  await expect(openKeyring(database, [next])).rejects.toThrow(
    new RegExp(`^30 values of the table stores [^\\n]*${oldId}: give it in STOREFERRY_OLD_KEYS[^\\n]*$`),
  )

  const counts: number[] = []
  expect(await rotate([next, old], ({ count }) => counts.push(count))).toMatchObject({ left: [] })
  expect(counts).toEqual([30])
  const after = await openKeyring(database, [next])
  for (const hash of [...hashes, 'late']) expect(await tokenOf(hash, after)).toBe(`token of ${hash}`)
})

test('S8: a value being stored while the key is switched is waited for, and encrypted again', async () => {
  await openKeyring(database, [old])
  const keyring = await openKeyring(database, [next, old])
  await using parts = new AsyncDisposableStack()
  const writing = await database.startTransaction().execute()
  parts.defer(async () => {
    if (!writing.isCommitted) await writing.rollback().execute()
  })
  const store = { id: randomUUID(), organisationId, hash: 'north', label: 'north' }
  const tokenEncrypted = keyring.encrypt('token of north', storeTokenContext(store), await holdWritingKey(writing))
  const rotation = rotate([next, old])
  await untilWaiting()
  await saveStore(writing, { ...store, tokenEncrypted })
  await writing.commit().execute()
  expect(await rotation).toMatchObject({ left: [] })
  expect(sealedKeyId(tokenEncrypted)).toBe(oldId)
  expect(await keyIdsInUse()).toEqual([nextId])
})

/** Waits until a statement waits for a lock in this database. */
async function untilWaiting(): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          database,
        )
        return rows.length
      },
      { timeout: 20_000 },
    )
    .toBe(1)
}

test('S8: a value rewritten since it was read is left alone', async () => {
  await connect(await openKeyring(database, [old]), 'north')
  await database.transaction().execute(async (transaction) => {
    const [column] = sealedColumns
    if (!column) throw new Error('Nothing is encrypted.')
    const [read] = await listSealedOtherwise(transaction, column, { keyId: nextId, after: '', limit: 10 })
    if (!read) throw new Error('Nothing is left to encrypt.')
    await sql`update stores set token_encrypted = 'another' where hash = 'north'`.execute(transaction)
    await replaceSealed(transaction, column, read, Buffer.from('stale'))
  })
  const store = await findStore(database, organisationId, 'north')
  expect(store?.tokenEncrypted.toString()).toBe('another')
})

test('S8: a damaged value is named, and keeps no other value under the old key', async () => {
  const keyring = await openKeyring(database, [old])
  await connect(keyring, 'north', 'south')
  await sql`update stores set token_encrypted = token_encrypted || 'x' where hash = 'north'`.execute(database)
  const spoilt = await findStore(database, organisationId, 'north')
  const rotated = await rotate([next, old])
  expect(rotated.unreadable).toEqual([`stores.token_encrypted of row ${spoilt?.id}`])
  expect(rotated.left).toEqual([{ table: 'stores', count: 1 }])
  expect(await tokenOf('south', await openKeyring(database, [next, old]))).toBe('token of south')
})

test('S8: without the key of the stored values a rotation changes nothing', async () => {
  await connect(await openKeyring(database, [old]), 'north')
  await expect(rotate([next, third])).rejects.toThrow(/^STOREFERRY_KEY is not the key[^\n]*STOREFERRY_OLD_KEYS too\.$/)
  expect(await keyIdsInUse()).toEqual([oldId])
  expect(await tokenOf('north', await openKeyring(database, [old]))).toBe('token of north')
})

test('S8: of two rotations to different keys the later one wins, and the other ends', async () => {
  await connect(await openKeyring(database, [old]), ...Array.from({ length: 120 }, (_, at) => `shop${at}`))
  let later: Promise<unknown> | undefined
  const first = rotate([next, old], async () => {
    later ??= rotate([third, next, old])
    await later
  })
  await expect(first).rejects.toThrow('Another rotation has started')
  await later
  expect(await keyIdsInUse()).toEqual([keyIdOf({ masterKey: third })])
})

test('S8: the audit log records a repeated rotation once, with the id of the key only', async () => {
  await openKeyring(database, [old])
  await rotate([next, old])
  await rotate([next, old])
  const { rows } = await sql<{ actor: string; details: unknown }>`
    select actor, details from audit where action = 'master-key.rotate'`.execute(database)
  expect(rows).toEqual([{ actor: 'command line', details: { keyId: nextId } }])
})
