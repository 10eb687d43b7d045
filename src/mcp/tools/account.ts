import { z } from 'zod'
import { describeCaller } from '../../operations/describe-caller.ts'
import { maybe, text } from '../shapes.ts'
import { defineTool } from '../tool.ts'

export const whoami = defineTool({
  name: 'whoami',
  title: 'Who am I',
  about:
    'The signed-in user, organisation, role, what it permits, and when the access token expires. Use it first, or when another tool says forbidden.',
  input: z.strictObject({}),
  output: z.strictObject({
    user: z.strictObject({ id: text, untrusted_name: text }),
    organisation: z.strictObject({ id: text, untrusted_name: text, store_migration_enabled: z.boolean() }),
    role: text,
    permissions: z.array(text),
    scope: text,
    token_expires_at: maybe,
  }),
  async answer(_, { ask, caller }) {
    const { user, organisation, role, permissions } = await ask(describeCaller, {})
    const { id, name, storeMigrationEnabled } = organisation
    return {
      user: { id: user.id, untrusted_name: user.name },
      organisation: { id, untrusted_name: name, storeMigrationEnabled },
      role,
      permissions,
      scope: caller.scope,
      tokenExpiresAt: caller.expiresAt,
    }
  },
})
