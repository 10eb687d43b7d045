import { z } from 'zod'
import { password } from './administration.ts'
import { roles } from './permissions.ts'
import { text } from './primitives/text.ts'

/** Whatever was given at sign-in is compared, never judged: rules for passwords are for new ones. */
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
      }),
    )
    .describe('Name one of them in the header Storeferry-Organization of every other request.'),
  expiresAt: z.iso.datetime().describe('When the session ends whatever happens.'),
})

export const changePasswordInput = z.strictObject({
  currentPassword: z.string().min(1, 'Must not be empty.').max(1_000),
  newPassword: password,
})
export const endedSessions = z.object({ ended: z.number().int().describe('Sessions that ended.') })
