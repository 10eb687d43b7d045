import { z } from 'zod'
import { permissionRoles, roles } from '../contract/permissions.ts'
import { ServiceError } from '../contract/service-error.ts'
import { findMember } from '../db/users.ts'
import { defineOperation } from './operation.ts'

export const describeCaller = defineOperation({
  name: 'describe-caller',
  summary: 'Who is asking: user, organisation, role and what that permits.',
  input: z.strictObject({}),
  output: z.strictObject({
    user: z.strictObject({ id: z.string(), name: z.string() }),
    organisation: z.strictObject({ id: z.string(), name: z.string(), storeMigrationEnabled: z.boolean() }),
    role: z.enum(roles),
    permissions: z.array(z.string()),
  }),
  async run(_, { userId, organisationId, role }, { database }) {
    const member = await findMember(database, organisationId, userId)
    if (!member) throw new ServiceError('unauthorized', 'Your access ended while the request was under way.')
    const { name, organisationName, storeMigrationEnabled } = member
    const permissions = Object.entries(permissionRoles).filter(([, allowed]) =>
      (allowed as readonly string[]).includes(role),
    )
    return {
      user: { id: userId, name },
      organisation: { id: organisationId, name: organisationName, storeMigrationEnabled },
      role,
      permissions: permissions.map(([permission]) => permission),
    }
  },
})
