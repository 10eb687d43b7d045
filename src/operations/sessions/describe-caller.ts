import { z } from 'zod'
import type { ToolCaller } from '../../accounts/caller.ts'
import { permissionRoles, roles } from '../../contract/accounts/permissions.ts'
import { defineOperation } from '../shared/operation.ts'

export const describeCaller = defineOperation({
  name: 'describe-caller',
  summary: 'The caller: user, organisation, role and permissions.',
  input: z.strictObject({}),
  output: z.strictObject({
    user: z.strictObject({ id: z.string(), name: z.string() }),
    organisation: z.strictObject({ id: z.string(), name: z.string(), storeMigrationEnabled: z.boolean() }),
    role: z.enum(roles),
    permissions: z.array(z.string()),
  }),
  /** All of this was read with the token for this request, which fails if the organisation is disabled. */
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
