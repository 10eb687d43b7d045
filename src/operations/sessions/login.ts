import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { secretMatches } from '../../accounts/credential-secret.ts'
import { type Judgement, judgeCounted, loginAttempt } from '../../accounts/login-limits.ts'
import { emailKey, nameKey } from '../../accounts/name-key.ts'
import { loginInput, loginOutput } from '../../contract/accounts/login.ts'
import { limits } from '../../contract/primitives/limits.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { type CredentialForLogin, findCredentialByClientId } from '../../db/accounts/api-credentials.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { listStores } from '../../db/accounts/stores.ts'
import { findActiveMember, type MemberForLogin, type UserRow } from '../../db/accounts/users.ts'
import type { Database } from '../../db/core/database.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'

type Input = z.infer<typeof loginInput>

export const login = defineOperation<Input, z.infer<typeof loginOutput>, Visitor>({
  name: 'login',
  summary: 'Exchange names, email and API credential for a bearer token that is valid for 10 days.',
  input: loginInput,
  output: loginOutput,
  async run(input, visitor, deps) {
    const { credential, user } = await identify(input, visitor, deps)
    const stores = await requireReady(credential, deps)
    const { organisationId, version: secretVersion } = credential
    const claims = {
      userId: user.id,
      organisationId,
      secretVersion,
      generation: user.generation,
      tokensSince: user.tokensSince,
      address: visitor.address,
    }
    const { token, expiresAt } = await deps.bearerTokens.issue(claims)
    await recordLogin(organisationId, user, deps)
    const described = stores.map(async (store) => ({
      hash: store.hash,
      label: store.label,
      platform: store.platform,
      storefronts: await deps.storefronts.listQuickly(store),
    }))
    return {
      access_token: token,
      token_type: 'Bearer' as const,
      expires_in: limits.bearerTokenSeconds,
      expires_at: expiresAt.toISOString(),
      user: { id: user.id, name: fullName(user), email: user.email },
      organization: { id: organisationId, name: credential.organisationName },
      stores: await Promise.all(described),
    }
  },
})

interface Identity {
  credential: CredentialForLogin
  user: MemberForLogin
}

/** Checks all five values. The response is the same whichever is wrong, and failures count against the address (S5). */
async function identify(input: Input, { address }: Visitor, deps: Deps): Promise<Identity> {
  const attempt = loginAttempt(address, input.client_id)
  const identity = await judgeCounted(deps, attempt, () => matchAll(input, deps.database))
  if (identity) return identity
  throw new ServiceError(
    'invalid_credentials',
    'Invalid credentials. Check all five values; an administrator of the platform issues client_id and client_secret.',
  )
}

/** Looks up and compares everything before deciding, so that timing does not reveal which value was wrong. */
async function matchAll(input: Input, database: Database): Promise<Judgement<Identity>> {
  const known = await findCredentialByClientId(database, input.client_id)
  const credential = known ?? nobodysCredential()
  const user = await findActiveMember(database, credential.organisationId, emailKey(input.email))
  const matches = {
    client_secret: secretMatches(input.client_secret, credential.secretHash),
    organization_name: credential.organisationNameKey === nameKey(input.organization_name),
    email: user !== undefined,
    username: registeredNames(user).includes(input.username.trim()),
  }
  const wrong = Object.entries(matches).flatMap(([what, match]) => (match ? [] : [what]))
  if (user && credential.enabled && wrong.length === 0) return { right: { credential, user } }
  if (!known) return { wrong: { action: 'login.fail', userId: null, reason: 'unknown client_id' } }
  const reason = known.enabled ? `wrong ${wrong.join(', ')}` : 'the API credential is disabled'
  return { wrong: { action: 'login.fail', userId: user?.id ?? null, organisationId: known.organisationId, reason } }
}

/** Takes as long to check as a real credential but never matches, because no organisation has this id. */
function nobodysCredential(): CredentialForLogin {
  return {
    organisationId: '00000000-0000-0000-0000-000000000000',
    clientId: '',
    secretHash: randomBytes(32),
    lastFour: '',
    version: 1,
    enabled: false,
    organisationName: '',
    organisationNameKey: '',
    storeMigrationEnabled: false,
  }
}

/** The names that may be given: first, last or full name. A missing name must not match an empty input. */
function registeredNames(user: UserRow | undefined): string[] {
  if (!user) return []
  return [user.firstName.trim(), user.lastName.trim(), fullName(user)].filter((name) => name !== '')
}

function fullName({ firstName, lastName }: UserRow): string {
  return `${firstName.trim()} ${lastName.trim()}`.trim()
}

/** Only called once all five values match. Otherwise the response would reveal something about the organisation. */
async function requireReady(credential: CredentialForLogin, { database, settings }: Deps) {
  if (!credential.storeMigrationEnabled) {
    throw new ServiceError('store_migration_disabled', 'Store Migration is not enabled for this organisation.')
  }
  const stores = await listStores(database, credential.organisationId)
  if (stores.length < limits.minimumConnectedStores) {
    throw new ServiceError(
      'insufficient_stores',
      `The organisation has ${stores.length} connected stores and needs ${limits.minimumConnectedStores}, a source and a destination. An owner connects another one at ${settings.siteUrl}/app/stores/connect?org=${credential.organisationId}.`,
    )
  }
  return stores
}

/**
 * The credential can log in as any member, so each login is audited where both the member and the owner see it (S4).
 */
function recordLogin(organisationId: string, user: UserRow, { database, clock }: Deps): Promise<void> {
  return recordAudit(database, {
    organisationId,
    actorUserId: user.id,
    actor: 'user',
    action: 'login',
    details: { userId: user.id },
    at: clock.now(),
  })
}
