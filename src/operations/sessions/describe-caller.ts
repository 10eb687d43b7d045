import { z } from 'zod'
import type { ToolCaller } from '../../accounts/caller.ts'
import { permissionRoles, roles } from '../../contract/permissions.ts'
import { defineOperation } from '../shared/operation.ts'

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
  /** All of it was read when the token was, on this very request: a caller whose organisation may not use the service gets no further. */
  async run(_, { userId, organisationId, role, userName, organisationName }: ToolCaller) {
    const permissions = Object.entries(permissionRoles).filter(([, allowed]) =>
      (allowed as readonly string[]).includes(role),
    )
    return {
      user: { id: userId, name: userName },
      organisation: { id: organisationId, name: organisationName, storeMigrationEnabled: true },
      role,
      permissions: permissions.map(([permission]) => permission),
    }
  },
})
