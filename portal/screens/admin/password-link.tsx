import { useState } from 'react'
import { whyNotLink } from '../../allowed.ts'
import { Confirm } from '../../confirm.tsx'
import { administration } from '../../data/administration.ts'
import { called } from '../../format/called.ts'
import { useOnline } from '../../online.ts'
import { useSession } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { useWhys } from '../../ui/reasons.tsx'
import { invitationTo, type OneTimeLink } from '../link-once.tsx'

interface Props {
  person: { userId: string; firstName: string; lastName: string; email: string; invited: boolean }
  onMade: (link: OneTimeLink | undefined) => Promise<void>
}

/** For a person who forgot the password, or whose invitation has expired. */
export function PasswordLink({ person, onMade }: Props) {
  const { userId, email, invited } = person
  const { user } = useSession()
  const offBecause = whyNotLink({ isOnline: useOnline(), isSelf: userId === user.id })
  const { idOf, notes } = useWhys([offBecause])
  const [isAsked, setAsked] = useState(false)
  const name = called(person)
  const words = invited ? 'Invite again' : 'Reset password'
  async function make() {
    const made = await administration.passwordLink(email)
    await onMade(invited ? invitationTo(person, made) : { of: email, title: `New password for ${email}`, ...made })
  }
  return (
    <div className="row-actions">
      <Button
        variant="secondary"
        name={`${words}: ${name}`}
        offBecause={idOf(offBecause)}
        onClick={() => setAsked(true)}
      >
        {words}
      </Button>
      {notes}
      {isAsked && (
        <Confirm
          title={invited ? `Invite ${name} again?` : `Reset the password of ${name}?`}
          confirm="Make the link"
          keep="Cancel"
          onConfirm={make}
          onClose={() => setAsked(false)}
        >
          <p>{invited ? inviting : resetting}</p>
        </Confirm>
      )}
    </div>
  )
}

const inviting =
  'You get a link for them that works once, for 7 days. Earlier links stop working. The audit records it.'

const resetting =
  'You get a link for them that works once, for 30 minutes. When they choose a new password, all their browsers and API ' +
  'tokens are signed out, in every organization, and their assistants are disconnected. The audit records it.'
