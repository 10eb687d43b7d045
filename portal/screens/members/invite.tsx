import { useState } from 'react'
import type { Role } from '../../../src/contract/permissions.ts'
import { memberActions } from '../../data/people-actions.ts'
import { FormDialog } from '../../form-dialog.tsx'
import { invitationTo } from '../link-once.tsx'
import { noPerson, PersonFields, RoleField } from '../person-fields.tsx'
import type { MemberAnswer } from './member-actions.tsx'

/** A new person gets a link to choose a password; who was a member before signs in with the password they have. */
export function Invite({ onDone, onClose }: { onDone: (answer: MemberAnswer) => Promise<void>; onClose: () => void }) {
  const [person, setPerson] = useState(noPerson)
  const [role, setRole] = useState<Role>('operator')
  async function save() {
    const { member, invitation } = await memberActions.add({ ...person, role })
    const note = `${member.firstName} ${member.lastName} is a member again and signs in with the password they have.`
    await onDone(invitationTo(member, invitation) ?? { note })
  }
  return (
    <FormDialog title="Invite a member" submit="Invite" onSave={save} onClose={onClose}>
      {(problems) => (
        <>
          <PersonFields person={person} onChange={setPerson} problems={problems} prefix="" />
          <RoleField role={role} onChange={setRole} />
        </>
      )}
    </FormDialog>
  )
}
