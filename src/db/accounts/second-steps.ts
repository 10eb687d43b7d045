import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

/** Where a secret is stored; its encryption is bound to it. */
export function secondStepContext(userId: string) {
  return { table: 'second_steps', column: 'secret_encrypted', row: userId, organisation: null }
}

export type SecondStepRow = Columns<'second_steps', 'secretEncrypted' | 'confirmedAt'> & { recoveryCodes: number }

export async function findSecondStep(
  database: Database | InTransaction,
  userId: string,
): Promise<SecondStepRow | undefined> {
  const { rows } = await sql<SecondStepRow>`
    select secret_encrypted as "secretEncrypted", confirmed_at as "confirmedAt",
      (select count(*)::integer from recovery_codes code where code.user_id = step.user_id) as "recoveryCodes"
    from second_steps step where user_id = ${userId}`.execute(database)
  return rows[0]
}

/** Whether a sign-in needs the second step. */
export async function hasSecondStep(database: InTransaction, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from second_steps where user_id = ${userId} and confirmed_at is not null`.execute(database)
  return rows.length > 0
}

/** Replaces a secret that was never confirmed with a code. @returns whether it was saved; false when one is in use. */
export async function saveSecret(
  database: InTransaction,
  { userId, secretEncrypted }: Columns<'second_steps', 'userId' | 'secretEncrypted'>,
): Promise<boolean> {
  const { rows } = await sql`
    insert into second_steps as step (user_id, secret_encrypted) values (${userId}, ${secretEncrypted})
    on conflict (user_id) do update set secret_encrypted = excluded.secret_encrypted where step.confirmed_at is null
    returning 1`.execute(database)
  return rows.length > 0
}

/** @param secretEncrypted as read before; a secret stored since is not confirmed. @returns whether it is now in use. */
export async function confirmSecret(
  database: InTransaction,
  {
    userId,
    secretEncrypted,
    step,
    at,
  }: Columns<'second_steps', 'userId' | 'secretEncrypted'> & { step: number; at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update second_steps set confirmed_at = ${at}, last_step = ${step}
    where user_id = ${userId} and secret_encrypted = ${secretEncrypted} and confirmed_at is null returning 1`.execute(
    database,
  )
  return rows.length > 0
}

/** A single statement, so that a code used twice at the same time counts once. @returns whether the code was unused. */
export async function takeStep(
  database: Database,
  { userId, step }: { userId: string; step: number },
): Promise<boolean> {
  const { rows } = await sql`
    update second_steps set last_step = ${step}
    where user_id = ${userId} and confirmed_at is not null and last_step < ${step} returning 1`.execute(database)
  return rows.length > 0
}

/** Deletes the code. @returns whether it existed. */
export async function takeRecoveryCode(
  database: Database,
  { userId, codeHash }: Columns<'recovery_codes', 'userId' | 'codeHash'>,
): Promise<boolean> {
  const { rows } = await sql`
    delete from recovery_codes where user_id = ${userId} and code_hash = ${codeHash} returning 1`.execute(database)
  return rows.length > 0
}

/** Makes earlier ones void. */
export async function saveRecoveryCodes(
  database: InTransaction,
  { userId, codeHashes }: { userId: string; codeHashes: Buffer[] },
): Promise<void> {
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(database)
  await sql`
    insert into recovery_codes (user_id, code_hash)
    select ${userId}::uuid, code_hash from unnest(${codeHashes}::bytea[]) as code_hash`.execute(database)
}

/** Deletes the recovery codes too. @returns whether a second step was in use. */
export async function deleteSecondStep(database: InTransaction, userId: string): Promise<boolean> {
  const { rows } = await sql<{ wasOn: boolean }>`
    delete from second_steps where user_id = ${userId} returning confirmed_at is not null as "wasOn"`.execute(database)
  return rows[0]?.wasOn ?? false
}
