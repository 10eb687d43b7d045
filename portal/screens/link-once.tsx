import { SecretOnce } from '../ui/secret-once.tsx'
import { When } from '../ui/when.tsx'
import { useKeepHere } from '../use-keep-here.ts'

/** A link with which a person chooses a password. */
export interface OneTimeLink {
  title: string
  link: string
  expiresAt: string
}

/** @param given null for a person who already has a password */
export function invitationTo({ email }: { email: string }, given: Omit<OneTimeLink, 'title'> | null) {
  return given ? { title: `Invitation for ${email}`, ...given } : undefined
}

/** A link that was just created. The person has to confirm before leaving it. */
export function LinkOnce({ made, onStored }: { made: OneTimeLink | undefined; onStored: () => void }) {
  useKeepHere(made !== undefined, 'The link is shown only now. Leave without it?')
  if (!made) return null
  return (
    <SecretOnce title={made.title} values={[{ label: 'Link', value: made.link }]} onStored={onStored}>
      No mail is sent: give this link to the person yourself. It works once, until <When at={made.expiresAt} />, and can
      set a password, so hand it over like one.
    </SecretOnce>
  )
}
