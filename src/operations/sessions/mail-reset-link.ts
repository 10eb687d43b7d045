import { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { countRequest, mailAttempt } from '../../accounts/login-limits.ts'
import type { Mail } from '../../accounts/mailer.ts'
import { emailKey } from '../../accounts/name-key.ts'
import { anotherLinkToPassword } from '../../accounts/one-time-links.ts'
import { mailResetInput } from '../../contract/accounts/session.ts'
import { limits } from '../../contract/primitives/limits.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { findUserForSignIn, lockPassword } from '../../db/accounts/users.ts'
import { type Deps, defineOperation } from '../shared/operation.ts'

type Input = z.infer<typeof mailResetInput>

export const mailResetLink = defineOperation<Input, undefined, Visitor>({
  name: 'mail-reset-link',
  summary: 'Mail a link to a new password to the person with this address. The answer is the same for every address.',
  input: mailResetInput,
  output: z.undefined(),
  async run({ email }, { address }, deps) {
    if (!deps.mailer) throw new ServiceError('invalid_transition', 'This service cannot send mail.')
    await countRequest(deps, mailAttempt(address))
    // Sent later, so that neither the response nor its timing reveals whether the person exists (S14).
    deps.mailer.sendLater(() => composeMail(email, address, deps))
    return undefined
  },
})

async function composeMail(email: string, address: string, deps: Deps): Promise<Mail | undefined> {
  const person = await findUserForSignIn(deps.database, emailKey(email))
  const made = person && (await makeLink(person.id, address, deps))
  if (!made) return undefined
  return {
    userId: person.id,
    to: person.email,
    subject: 'Your new password for Storeferry',
    text: textOf(made.link, deps),
  }
}

/**
 * Strangers can request a link too, so the person's existing links stay valid and the number of further ones is limited
 * (S33).
 */
function makeLink(userId: string, address: string, { database, clock, settings }: Deps) {
  return database.transaction().execute(async (transaction) => {
    if (!(await lockPassword(transaction, userId))) return undefined
    const made = await anotherLinkToPassword(transaction, userId, { clock, settings })
    if (!made) return undefined
    const entry = { organisationId: null, actorUserId: userId, actor: 'visitor' as const, at: clock.now() }
    await recordAudit(transaction, { ...entry, action: 'password.mail-link', details: { address } })
    return made
  })
}

function textOf(link: string, { settings }: Deps): string {
  return `A new password was requested, probably by you, for Storeferry at ${settings.siteUrl}.

Choose it here:

${link}

The link works once, for ${limits.resetLinkSeconds / 60} minutes. If you did not ask for it, ignore this mail: your password stays as it is.
`
}
