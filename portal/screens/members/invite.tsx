import { useState } from 'react'
import type { Role } from '../../../src/contract/permissions.ts'
import { memberActions } from '../../data/people-actions.ts'
import { RadioGroup } from '../../ui/choices.tsx'
import { FormDialog, noPerson, PersonFields } from '../admin/organization-forms.tsx'
import { roleOptions } from './member-actions.tsx'
import type { OneTimeAnswer } from './one-time-answer.ts'

/** A new person gets a link to choose a password; who was a member before signs in with the password they have. */
export function Invite({ onDone, onClose }: { onDone: (answer: OneTimeAnswer) => Promise<void>; onClose: () => void }) {
  const [person, setPerson] = useState(noPerson)
  const [role, setRole] = useState<Role>('operator')
  async function save() {
    const { member, invitation } = await memberActions.add({ ...person, role })
    const title = `Invitation for ${member.email}`
    const note = `${member.firstName} ${member.lastName} is a member again and signs in with the password they have.`
    await onDone(invitation ? { title, ...invitation } : { note })
  }
  return (
    <FormDialog title="Invite a member" submit="Invite" onSave={save} onClose={onClose}>
      {(problems) => (
        <>
          <PersonFields person={person} onChange={setPerson} problems={problems} prefix="" />
          <RadioGroup legend="Role" value={role} options={roleOptions} onChange={setRole} />
        </>
      )}
    </FormDialog>
  )
}
