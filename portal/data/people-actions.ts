import type { Role } from '../../src/contract/accounts/permissions.ts'
import { client, orThrow } from './client.ts'
import type { Body } from './queries.ts'

type NewMember = Body<'add-member'>
type Name = Body<'change-name'>

const of = (userId: string) => ({ params: { path: { userId } } })
const at = (id: string) => ({ params: { path: { id } } })

/** What owners do to a member. */
export const memberActions = {
  add: (body: NewMember) => orThrow(client.POST('/v2/members', { body })),
  invite: (userId: string) => orThrow(client.POST('/v2/members/{userId}/invitation', of(userId))),
  resetLink: (userId: string) => orThrow(client.POST('/v2/members/{userId}/reset-link', of(userId))),
  change: (userId: string, role: Role) =>
    orThrow(client.PATCH('/v2/members/{userId}', { ...of(userId), body: { role } })),
  remove: (userId: string) => orThrow(client.DELETE('/v2/members/{userId}', of(userId))),
}

/** What people do to their own account. */
export const ownActions = {
  reauthenticate: (currentPassword: string, code?: string) =>
    orThrow(
      client.POST('/v2/session/reauthentication', { body: { currentPassword, ...(code !== undefined && { code }) } }),
    ),
  changeName: (body: Name) => orThrow(client.PATCH('/v2/session', { body })),
  changePassword: (currentPassword: string, newPassword: string) =>
    orThrow(client.POST('/v2/session/password', { body: { currentPassword, newPassword } })),
  beginSecondStep: (currentPassword: string) =>
    orThrow(client.POST('/v2/session/second-step', { body: { currentPassword } })),
  confirmSecondStep: (code: string) => orThrow(client.POST('/v2/session/second-step/confirm', { body: { code } })),
  endSecondStep: (code: string) => orThrow(client.POST('/v2/session/second-step/off', { body: { code } })),
  renewRecoveryCodes: (code: string) => orThrow(client.POST('/v2/session/recovery-codes', { body: { code } })),
  endSession: (id: string) => orThrow(client.DELETE('/v2/sessions/{id}', at(id))),
  endAllSessions: () => orThrow(client.DELETE('/v2/sessions')),
  endToken: (id: string) => orThrow(client.DELETE('/v2/tokens/{id}', at(id))),
  disconnect: (id: string) => orThrow(client.DELETE('/v2/assistants/{id}', at(id))),
}
