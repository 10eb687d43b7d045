import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { issueCredential, rotateCredential } from '../../src/accounts/api-credentials.ts'
import { hashPassword } from '../../src/accounts/passwords.ts'
import type { Role } from '../../src/contract/accounts/permissions.ts'
import { enableStoreMigration } from '../../src/operations/administration/enable-store-migration.ts'
import { removeStoreMigration } from '../../src/operations/administration/remove-store-migration.ts'
import { perform } from '../../src/operations/shared/perform.ts'
import {
  aBrowser,
  anOrganisation,
  aPerson,
  aSession,
  type Browser,
  type Organisation,
  password,
  type Service,
  submit,
} from '../api/a-service.ts'
import { anAccessToken } from '../mcp/a-connection.ts'

/** Of an organisation, or of none: `administrator` is one of the platform's, `none` is a registered person. */
export const holderRoles = ['viewer', 'operator', 'owner', 'administrator', 'none'] as const
export type HolderRole = (typeof holderRoles)[number]

export const tokenKinds = ['session', 'API token', 'client credentials', 'access token'] as const
export type TokenKind = (typeof tokenKinds)[number]

/** A person, an organisation, and what the person would send to act in it. */
export interface Holder {
  organisation: Organisation
  owner: Browser
  administrator: Browser
  role: HolderRole
  userId: string
  email: string
  headers: Record<TokenKind, Record<string, string>>
}

export interface Holders {
  aHolder(role: HolderRole): Promise<Holder>
}

export const isMember = (role: HolderRole): role is Role => role !== 'administrator' && role !== 'none'

export async function startHolders(service: Service): Promise<Holders> {
  const { deps } = service
  const passwordHash = await hashPassword(password)
  const administrator = aBrowser(
    service,
    await aSession(service, (await aPerson(service, { administrator: true })).userId),
  )
  async function aHolder(role: HolderRole): Promise<Holder> {
    const organisation = await anOrganisation(service)
    const [userId, email] = [randomUUID(), `Mary.${randomUUID()}@shop.example`]
    await sql`
      insert into users (id, first_name, last_name, email, email_key, password_hash, is_administrator)
      values (${userId}, 'Mary', 'Shelley', ${email}, ${email.toLowerCase()}, ${passwordHash}, ${role === 'administrator'})`.execute(
      deps.database,
    )
    if (isMember(role))
      await sql`
        insert into memberships (organisation_id, user_id, role) values (${organisation.id}, ${userId}, ${role})`.execute(
        deps.database,
      )
    const claims = { userId, organisationId: organisation.id, secretVersion: 1, generation: 0 }
    const { token: apiToken } = await deps.bearerTokens.issue(claims)
    const { token: accessToken } = await anAccessToken(service, { id: organisation.id, userId })
    const { client_id, client_secret } = organisation.identity
    const pair = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
    return {
      ...{ organisation, administrator, role, userId, email },
      owner: aBrowser(service, await organisation.cookie()),
      headers: {
        session: { cookie: await aSession(service, userId) },
        'API token': { authorization: `Bearer ${apiToken}` },
        'client credentials': { authorization: `Basic ${pair}` },
        'access token': { authorization: `Bearer ${accessToken}` },
      },
    }
  }
  return { aHolder }
}

interface State {
  /** The row of docs/accounts.md, "What ends what", about what a member holds. */
  row: string | null
  /** Whether it is about the person, and not only about the membership or the organisation. */
  isOfPerson?: true
  /** The role of a member afterwards. */
  becomes?(role: Role): Role
  act(holder: Holder, service: Service): Promise<unknown>
}

const anonymous = { userId: null }
const lower: Record<Role, Role> = { owner: 'operator', operator: 'viewer', viewer: 'viewer' }
const ofMember = ({ userId }: Holder) => `/v2/members/${userId}`
const tokenOf = (link: string) => link.split('#')[1] ?? ''

async function remove(holder: Holder): Promise<void> {
  if (isMember(holder.role)) await done(holder.owner.send('DELETE', ofMember(holder)))
}

async function removeAndInvite(holder: Holder, service: Service): Promise<void> {
  await remove(holder)
  if (!isMember(holder.role)) return
  const person = { firstName: 'Mary', lastName: 'Shelley', email: holder.email, role: holder.role }
  const { invitation } = (await done(holder.owner.send('POST', '/v2/members', person))).json()
  await done(submit(service, '/app/invitation', { token: tokenOf(invitation.link), password }))
}

async function done<Answer extends { statusCode: number; body: string }>(asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked
  if (answer.statusCode >= 400) throw new Error(`${answer.statusCode} ${answer.body}`)
  return answer
}

export const states = {
  live: { row: null, act: async () => {} },
  'member removed': { row: 'Removing a member', act: remove },
  'removed and added again': { row: 'Removing a member, who is invited again and accepts', act: removeAndInvite },
  'organisation disabled': {
    row: 'Removing an organisation from Store Migration',
    act: ({ organisation: { id } }, { deps }) => perform(removeStoreMigration, { organisation: id }, anonymous, deps),
  },
  'organisation disabled and enabled': {
    row: 'Removing it and enabling it again',
    async act({ organisation: { id } }, { deps }) {
      await perform(removeStoreMigration, { organisation: id }, anonymous, deps)
      await perform(enableStoreMigration, { organisation: id }, anonymous, deps)
      await issueCredential(id, anonymous, deps)
    },
  },
  'credential rotated': {
    row: 'Rotating the API credential',
    act: ({ organisation: { id } }, { deps }) => rotateCredential(id, anonymous, deps),
  },
  'password reset': {
    row: 'Choosing a new password with a link',
    isOfPerson: true,
    async act(holder, service) {
      const asked = isMember(holder.role)
        ? holder.owner.send('POST', `${ofMember(holder)}/reset-link`)
        : holder.administrator.send('POST', '/admin/api/reset-links', { email: holder.email })
      const { link } = (await done(asked)).json()
      await done(submit(service, '/app/reset', { token: tokenOf(link), password: 'another password' }))
    },
  },
  demoted: {
    row: 'Changing a role',
    becomes: (role) => lower[role],
    async act(holder) {
      const { role } = holder
      if (isMember(role)) await done(holder.owner.send('PATCH', ofMember(holder), { role: lower[role] }))
    },
  },
} as const satisfies Record<string, State>
export type StateName = keyof typeof states
export const stateNames = Object.keys(states) as StateName[]
export const stateOf = (name: StateName): State => states[name]
