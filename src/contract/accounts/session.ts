import { z } from 'zod'
import { pageInput, pageOf } from '../primitives/list-page.ts'
import { name, text } from '../primitives/text.ts'
import { password } from './administration.ts'
import { roles } from './permissions.ts'

/** A password at sign-in is only compared; the password rules apply to new ones. */
export const signInInput = z.strictObject({ email: text, password: z.string().min(1, 'Must not be empty.').max(1_000) })
export const signInOutput = z.union([
  z.object({ sessionId: z.string() }),
  z.object({ secondStep: z.string().describe('Under it the sign-in waits for a code.') }),
])
export const sessionOutput = z.object({ sessionId: z.string() })

/** Any text: an invalid address gets the same response. */
export const mailResetInput = z.strictObject({ email: text })

export const sessionDetail = z.object({
  user: z.object({ id: z.string(), firstName: z.string(), lastName: z.string(), email: z.string() }),
  isAdministrator: z.boolean(),
  secondStepMissing: z
    .boolean()
    .describe('Whether the administration stays closed until this administrator turns on the second step.'),
  secondStep: z.boolean().describe('Whether giving the password again takes a code, too.'),
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
  connectsByApp: z
    .boolean()
    .describe('Whether a store can also be connected by installing an app in its control panel.'),
  expiresAt: z.iso.datetime().describe('When the session ends, even if it is in use.'),
})

export const sessionEntry = z.strictObject({
  id: z.string(),
  startedAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime().describe('To the minute.'),
  address: z.string().nullable().describe('IP address of the sign-in.'),
  agent: z.string().nullable().describe('What the browser says it is; not verified.'),
  current: z.boolean().describe('Whether this request was made with it.'),
})
export const listSessionsInput = z.strictObject(pageInput)
export const sessionPage = pageOf(sessionEntry)
export const oneSessionInput = z.strictObject({ id: z.uuid() })

export const changeNameInput = z.strictObject({ firstName: name, lastName: name })
export const changedName = z.object({ firstName: z.string(), lastName: z.string() })

export const assistantEntry = z.strictObject({
  id: z.string(),
  name: z.string().describe('What the assistant calls itself; not verified.'),
  host: z.string().describe('Where it was sent after you allowed it.'),
  organization: z.string().describe('Name of the organisation that it reads.'),
  connectedAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable().describe('To the minute.'),
})
export const listAssistantsInput = z.strictObject(pageInput)
export const assistantPage = pageOf(assistantEntry)
export const oneAssistantInput = z.strictObject({ id: z.string().min(1).max(100) })

export const changePasswordInput = z.strictObject({
  currentPassword: z.string().min(1, 'Must not be empty.').max(1_000),
  newPassword: password,
})
export const endedSessions = z.object({ ended: z.number().int().describe('Sessions that ended.') })
