import { useState } from 'react'
import type { Role } from '../../../src/contract/accounts/permissions.ts'
import { administration } from '../../data/administration.ts'
import type { OrganizationEntry } from '../../data/queries.ts'
import { FormDialog } from '../../form-dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { invitationTo, type OneTimeLink } from '../link-once.tsx'
import { noPerson, PersonFields, RoleField } from '../person-fields.tsx'
import { storeHashIn } from '../stores/store-hash.ts'

interface FormProps {
  onDone: (invitation: OneTimeLink | undefined) => Promise<void>
  onClose: () => void
}

export function CreateOrganization({ onDone, onClose }: FormProps) {
  const [name, setName] = useState('')
  const [owner, setOwner] = useState(noPerson)
  const save = async () => {
    const { invitation } = await administration.create({ name, owner })
    await onDone(invitationTo(owner, invitation))
  }
  return (
    <FormDialog title="Create an organization" submit="Create organization" onSave={save} onClose={onClose}>
      {(problems) => (
        <>
          <TextField label="Name" value={name} onChange={setName} problem={problems.name} />
          <h3>Its owner</h3>
          <PersonFields person={owner} onChange={setOwner} problems={problems} prefix="owner." />
        </>
      )}
    </FormDialog>
  )
}

/** Adds one of the people who run this service. */
export function AddAdministrator({ onDone, onClose }: FormProps) {
  const [person, setPerson] = useState(noPerson)
  const save = async () => {
    const { invitation } = await administration.createAdministrator(person)
    await onDone(invitationTo(person, invitation))
  }
  return (
    <FormDialog title="Add an administrator" submit="Add administrator" onSave={save} onClose={onClose}>
      {(problems) => (
        <>
          <p>Administrators see all organizations and allow them to use Store Migration.</p>
          <PersonFields person={person} onChange={setPerson} problems={problems} prefix="" />
        </>
      )}
    </FormDialog>
  )
}

type ConnectedStore = Awaited<ReturnType<typeof administration.connect>>

interface ConnectProps {
  organization: Pick<OrganizationEntry, 'organisationId' | 'name'>
  onDone: (store: ConnectedStore) => Promise<void>
  onClose: () => void
}

/** Connects a store for an organization whose owners cannot do it themselves. */
export function ConnectTheirStore({ organization, onDone, onClose }: ConnectProps) {
  const [path, setPath] = useState('')
  const [token, setToken] = useState('')
  const save = async () =>
    onDone(await administration.connect(organization.organisationId, { hash: storeHashIn(path), token: token.trim() }))
  return (
    <FormDialog
      title={`Connect a store of ${organization.name}`}
      submit="Check and connect"
      onSave={save}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <TextField
            label="API path or store hash"
            value={path}
            onChange={setPath}
            problem={problems.hash}
            hint="As the API account shows it: https://api.bigcommerce.com/stores/…/v3/"
          />
          <TextField
            label="Access token"
            type="password"
            value={token}
            onChange={setToken}
            autoComplete="new-password"
            problem={problems.token}
            hint="Stored encrypted, never shown again."
          />
        </>
      )}
    </FormDialog>
  )
}

interface AddPersonProps extends FormProps {
  organization: Pick<OrganizationEntry, 'organisationId' | 'name'>
}

export function AddPerson({ organization, onDone, onClose }: AddPersonProps) {
  const [person, setPerson] = useState(noPerson)
  const [role, setRole] = useState<Role>('owner')
  const save = async () => {
    const { invitation } = await administration.appoint(organization.organisationId, { ...person, role })
    await onDone(invitationTo(person, invitation))
  }
  return (
    <FormDialog title={`Add a person to ${organization.name}`} submit="Add person" onSave={save} onClose={onClose}>
      {(problems) => (
        <>
          <PersonFields person={person} onChange={setPerson} problems={problems} prefix="" />
          <RoleField role={role} onChange={setRole} />
        </>
      )}
    </FormDialog>
  )
}
