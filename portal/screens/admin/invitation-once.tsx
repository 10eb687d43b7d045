import { SecretOnce } from '../../ui/secret-once.tsx'
import { When } from '../../ui/when.tsx'
import { useKeepHere } from '../../use-keep-here.ts'

/** A new person, with the link where they choose a password. */
export interface Invited {
  email: string
  link: string
  expiresAt: string
}

/** The link of a person who was just added. Leaving without it asks first. */
export function InvitationOnce({ invited, onStored }: { invited: Invited | undefined; onStored: () => void }) {
  useKeepHere(invited !== undefined, 'The link is shown only now. Leave without it?')
  if (!invited) return null
  return (
    <SecretOnce
      title={`Invitation for ${invited.email}`}
      values={[{ label: 'Link', value: invited.link }]}
      onStored={onStored}
    >
      Works once, until <When at={invited.expiresAt} />. The person who opens it chooses the password, so hand it over
      like one.
    </SecretOnce>
  )
}
