import { useState } from 'react'
import type { Role } from '../../../src/contract/accounts/permissions.ts'
import { memberActions } from '../../data/people-actions.ts'
import { FormDialog } from '../../form-dialog.tsx'
import { invitationTo, type OneTimeLink } from '../link-once.tsx'
import { noPerson, PersonFields, RoleField } from '../person-fields.tsx'

/** People become members when they accept, with a first password or with that of the account they have. */
export function Invite({
  onDone,
  onClose,
}: {
  onDone: (invitation?: OneTimeLink) => Promise<void>
  onClose: () => void
}) {
  const [person, setPerson] = useState(noPerson)
  const [role, setRole] = useState<Role>('operator')
  async function save() {
    const { member, invitation } = await memberActions.add({ ...person, role })
    await onDone(invitationTo(member, invitation))
  }
  return (
    <FormDialog title="Invite a member" submit="Invite" onSave={save} onClose={onClose}>
      {(problems) => (
        <>
          <PersonFields person={person} onChange={setPerson} problems={problems} prefix="" />
          <RoleField role={role} onChange={setRole} />
          <p className="hint">You get a link to give to the person. No mail is sent.</p>
        </>
      )}
    </FormDialog>
  )
}
