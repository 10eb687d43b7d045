import { useState } from 'react'
import type { Role } from '../../../src/contract/accounts/permissions.ts'
import { type MemberAction, whyNotMember } from '../../allowed.ts'
import { Confirm } from '../../confirm.tsx'
import { sentenceOf } from '../../data/errors.ts'
import { memberActions } from '../../data/people-actions.ts'
import type { MemberEntry } from '../../data/people-queries.ts'
import { called } from '../../format/called.ts'
import { useAsker } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useWhys } from '../../ui/reasons.tsx'
import { invitationTo, type OneTimeLink } from '../link-once.tsx'
import { RoleField } from '../person-fields.tsx'

interface Props {
  member: MemberEntry
  isSelf: boolean
  isLastOwner: boolean
  onDone: (link?: OneTimeLink) => Promise<void>
  onRemoved: () => void
}

const words: Record<MemberAction, string> = {
  'change-member': 'Change role',
  'invite-member': 'Invite again',
  'create-reset-link': 'Reset password',
  'remove-member': 'Remove',
}

/** What an owner can do to one member. Below, it says why some actions are disabled. */
export function MemberActions({ member, isSelf, isLastOwner, onDone, onRemoved }: Props) {
  const asker = useAsker()
  const [question, setQuestion] = useState<MemberAction>()
  const [problem, setProblem] = useState<string>()
  const link: MemberAction = member.invited ? 'invite-member' : 'create-reset-link'
  const actions: MemberAction[] = ['change-member', link, 'remove-member']
  const off = (action: MemberAction) => whyNotMember(action, { ...asker, isSelf, isLastOwner, resetBy: member.resetBy })
  const { idOf, notes } = useWhys(actions.map(off))
  const close = () => setQuestion(undefined)
  async function inviteAgain() {
    await onDone(invitationTo(member, await memberActions.invite(member.userId)))
  }
  async function start(action: MemberAction) {
    setProblem(undefined)
    if (action !== 'invite-member') return setQuestion(action)
    await inviteAgain().catch((error: unknown) => setProblem(sentenceOf(error)))
  }
  return (
    <div className="row-actions">
      {actions.map((action) => (
        <Button
          key={action}
          variant="secondary"
          actionType={action === 'remove-member' ? 'destructive' : 'normal'}
          name={`${words[action]}: ${called(member)}`}
          offBecause={idOf(off(action))}
          onClick={() => start(action)}
        >
          {words[action]}
        </Button>
      ))}
      {notes}
      {problem !== undefined && <Notice tone="stopped">{problem}</Notice>}
      {question === 'change-member' && <ChangeRole member={member} onDone={onDone} onClose={close} />}
      {question === 'create-reset-link' && <ResetPassword member={member} onDone={onDone} onClose={close} />}
      {question === 'remove-member' && (
        <Remove member={member} isSelf={isSelf} onDone={onDone} onRemoved={onRemoved} onClose={close} />
      )}
    </div>
  )
}

interface QuestionProps {
  member: MemberEntry
  onDone: (link?: OneTimeLink) => Promise<void>
  onClose: () => void
}

function ChangeRole({ member, onDone, onClose }: QuestionProps) {
  const [role, setRole] = useState<Role>(member.role)
  const save = async () => {
    await memberActions.change(member.userId, role)
    await onDone()
  }
  const title = `Change the role of ${called(member)}`
  return (
    <Confirm title={title} confirm="Save the role" keep="Cancel" onConfirm={save} onClose={onClose}>
      <p>It applies from their next click on.</p>
      <RoleField role={role} onChange={setRole} />
    </Confirm>
  )
}

function ResetPassword({ member, onDone, onClose }: QuestionProps) {
  const create = async () => {
    const link = await memberActions.resetLink(member.userId)
    await onDone({ of: member.email, title: `New password for ${member.email}`, ...link })
  }
  const title = `Reset the password of ${called(member)}?`
  return (
    <Confirm title={title} confirm="Make the link" keep="Cancel" onConfirm={create} onClose={onClose}>
      <p>
        You get a link for them that works once, for 30 minutes. When they choose a new password, all their browsers and
        API tokens are signed out, and their assistants are disconnected.
      </p>
    </Confirm>
  )
}

function Remove({ member, isSelf, onDone, onRemoved, onClose }: QuestionProps & Pick<Props, 'isSelf' | 'onRemoved'>) {
  const remove = async () => {
    await memberActions.remove(member.userId)
    onRemoved()
    await onDone()
  }
  const whose = isSelf ? 'Your access' : 'Access'
  return (
    <Confirm title={`Remove ${called(member)}?`} confirm="Remove" destructive onConfirm={remove} onClose={onClose}>
      <p>
        {whose} ends at once and for good, with API tokens and assistants. Migrations that {isSelf ? 'you' : 'they'}{' '}
        started go on.
      </p>
    </Confirm>
  )
}
