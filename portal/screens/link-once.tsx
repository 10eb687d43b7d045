import { SecretOnce } from '../ui/secret-once.tsx'
import { When } from '../ui/when.tsx'
import { useKeepHere } from '../use-keep-here.ts'
import type { Once } from '../use-once.ts'

/** A link with which a person chooses a password. */
export interface OneTimeLink {
  /** The email of the person. */
  of: string
  title: string
  link: string
  expiresAt: string
}

/** @param given null for a person who already has a password */
export function invitationTo({ email }: { email: string }, given: Omit<OneTimeLink, 'of' | 'title'> | null) {
  return given ? { of: email, title: `Invitation for ${email}`, ...given } : undefined
}

/** Links that were just created. The person has to confirm before leaving them. */
export function LinkOnce({ links: { shown, forget } }: { links: Once<OneTimeLink> }) {
  useKeepHere(shown.length > 0, 'The link is shown only now. Leave without it?')
  return shown.map(({ of, title, link, expiresAt }) => (
    <SecretOnce key={link} title={title} values={[{ label: 'Link', value: link }]} onStored={() => forget(of)}>
      No mail is sent: give this link to the person yourself. It works once, until <When at={expiresAt} />, and can set
      a password, so hand it over like one.
    </SecretOnce>
  ))
}
