import { z } from 'zod'
import { password } from './administration.ts'
import { roles } from './permissions.ts'
import { text } from './primitives/text.ts'

/** At sign-in a password is only compared; the rules for passwords apply to new ones. */
export const signInInput = z.strictObject({ email: text, password: z.string().min(1, 'Must not be empty.').max(1_000) })
export const signInOutput = z.object({ sessionId: z.string() })

export const sessionDetail = z.object({
  user: z.object({ id: z.string(), firstName: z.string(), lastName: z.string(), email: z.string() }),
  isAdministrator: z.boolean(),
  organizations: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        role: z.enum(roles),
        storeMigrationEnabled: z.boolean(),
        owners: z.array(z.string()).describe('Names of owners, whom to ask for what only they may do; at most 5.'),
      }),
    )
    .describe('Name one of them in the header Storeferry-Organization of all other requests.'),
  expiresAt: z.iso.datetime().describe('When the session ends, even if it is in use.'),
})

export const changePasswordInput = z.strictObject({
  currentPassword: z.string().min(1, 'Must not be empty.').max(1_000),
  newPassword: password,
})
export const endedSessions = z.object({ ended: z.number().int().describe('Sessions that ended.') })
