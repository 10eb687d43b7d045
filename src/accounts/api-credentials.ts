import type { Clock } from '../clock.ts'
import type { AuditAction } from '../contract/accounts/audit-actions.ts'
import { ServiceError } from '../contract/service-error.ts'
import { type ApiCredentialRow, lockApiCredential, saveApiCredential } from '../db/accounts/api-credentials.ts'
import { recordAudit } from '../db/accounts/audit.ts'
import type { Database, InTransaction } from '../db/core/database.ts'
import { confirmAdministratorOf } from './administrators.ts'
import type { Administrator } from './caller.ts'
import { newClientId, newSecret } from './credential-secret.ts'

interface Deps {
  database: Database
  clock: Clock
}

export interface IssuedCredential {
  clientId: string
  /** Shown only once and never stored. */
  clientSecret: string
  version: number
}

/** The first credential has version 1. One that is enabled again keeps the version that disabling raised. */
export function issueCredential(organisationId: string, by: Administrator, deps: Deps): Promise<IssuedCredential> {
  return change('credential.issue', organisationId, by, deps, async (transaction, present) => {
    if (present?.enabled) {
      throw new ServiceError(
        'invalid_transition',
        'The organisation has an enabled credential. Rotate it for a new secret, or disable it first.',
      )
    }
    const secret = newSecret()
    const clientId = present?.clientId ?? newClientId()
    const version = present?.version ?? 1
    await saveApiCredential(transaction, { organisationId, clientId, ...secret, version, enabled: true })
    return { clientId, clientSecret: secret.secret, version }
  })
}

/** With the commit, the old secret and every bearer token become invalid. */
export function rotateCredential(organisationId: string, by: Administrator, deps: Deps): Promise<IssuedCredential> {
  return change('credential.rotate', organisationId, by, deps, async (transaction, present) => {
    const credential = requireEnabled(present, 'Issue one to get a secret.')
    const secret = newSecret()
    const version = credential.version + 1
    await saveApiCredential(transaction, { ...credential, ...secret, version })
    return { clientId: credential.clientId, clientSecret: secret.secret, version }
  })
}

export function disableCredential(
  organisationId: string,
  by: Administrator,
  deps: Deps,
): Promise<{ clientId: string; version: number }> {
  return change('credential.disable', organisationId, by, deps, async (transaction, present) => {
    const credential = requireEnabled(present, 'There is nothing to disable.')
    const version = credential.version + 1
    await saveApiCredential(transaction, { ...credential, version, enabled: false })
    return { clientId: credential.clientId, version }
  })
}

/**
 * Disables the credential of an organisation that is removed from Store Migration. Its row and client id stay.
 *
 * @returns a version that no bearer token has; undefined if there is no credential
 */
export async function endCredential(transaction: InTransaction, organisationId: string): Promise<number | undefined> {
  const present = await lockApiCredential(transaction, organisationId)
  if (!present?.enabled) return present?.version
  const version = present.version + 1
  await saveApiCredential(transaction, { ...present, version, enabled: false })
  return version
}

function requireEnabled(present: ApiCredentialRow | undefined, remedy: string): ApiCredentialRow {
  if (present?.enabled) return present
  throw new ServiceError('invalid_transition', `The organisation has no enabled credential. ${remedy}`)
}

/** Changes the credential of an organisation and audits it, with the row locked. */
function change<Changed extends { version: number }>(
  action: AuditAction,
  organisationId: string,
  by: Administrator,
  { database, clock }: Deps,
  apply: (transaction: InTransaction, present: ApiCredentialRow | undefined) => Promise<Changed>,
): Promise<Changed> {
  return database.transaction().execute(async (transaction) => {
    await confirmAdministratorOf(transaction, organisationId, by)
    const changed = await apply(transaction, await lockApiCredential(transaction, organisationId))
    await recordAudit(transaction, {
      organisationId,
      ...actorOf(by),
      action,
      details: { version: changed.version },
      at: clock.now(),
    })
    return changed
  })
}

export function actorOf(by: Administrator): { actorUserId: string | null; actor: 'administrator' | 'command line' } {
  return { actorUserId: by.userId, actor: by.userId === null ? 'command line' : 'administrator' }
}
