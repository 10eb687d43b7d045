import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type Role, roles } from '../../../src/contract/permissions.ts'
import { administration } from '../../data/administration.ts'
import { fieldErrors, sentenceOf } from '../../data/errors.ts'
import type { OrganizationEntry } from '../../data/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { roleMeanings, roleWords } from '../../words.ts'
import { storeHashIn } from '../stores/store-hash.ts'
import type { Invited } from './invitation-once.tsx'

interface FormProps {
  onDone: (invited: Invited | undefined) => Promise<void>
  onClose: () => void
}

export const noPerson = { firstName: '', lastName: '', email: '' }

export function CreateOrganization({ onDone, onClose }: FormProps) {
  const [name, setName] = useState('')
  const [owner, setOwner] = useState(noPerson)
  const save = async () => {
    const { invitation } = await administration.create({ name, owner })
    await onDone(invitation ? { ...invitation, email: owner.email } : undefined)
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

/** One of the people who run this service. */
export function AddAdministrator({ onDone, onClose }: FormProps) {
  const [person, setPerson] = useState(noPerson)
  const save = async () => {
    const { invitation } = await administration.createAdministrator(person)
    await onDone(invitation ? { ...invitation, email: person.email } : undefined)
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

/** For an organization whose owners cannot do it themselves. */
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
    await onDone(invitation ? { ...invitation, email: person.email } : undefined)
  }
  return (
    <FormDialog title={`Add a person to ${organization.name}`} submit="Add person" onSave={save} onClose={onClose}>
      {(problems) => (
        <>
          <PersonFields person={person} onChange={setPerson} problems={problems} prefix="" />
          <fieldset className="roles">
            <legend>Role</legend>
            {roles.map((each) => (
              <label key={each}>
                <input type="radio" name="role" checked={role === each} onChange={() => setRole(each)} />
                <span>
                  <strong>{roleWords[each]}</strong> <small>{roleMeanings[each]}</small>
                </span>
              </label>
            ))}
          </fieldset>
        </>
      )}
    </FormDialog>
  )
}

interface PersonFieldsProps {
  person: typeof noPerson
  onChange: (person: typeof noPerson) => void
  problems: Record<string, string>
  /** Where the API's error messages find these fields. */
  prefix: string
}

export function PersonFields({ person, onChange, problems, prefix }: PersonFieldsProps) {
  const field = (key: keyof typeof noPerson, label: string, type = 'text') => (
    <TextField
      label={label}
      type={type}
      value={person[key]}
      onChange={(value) => onChange({ ...person, [key]: value })}
      problem={problems[prefix + key]}
    />
  )
  return (
    <>
      {field('firstName', 'First name')}
      {field('lastName', 'Last name')}
      {field('email', 'Email', 'email')}
    </>
  )
}

interface FormDialogProps {
  title: string
  submit: string
  onSave: () => Promise<void>
  onClose: () => void
  /** The fields, given what the service said about each. */
  children: (problems: Record<string, string>) => ReactNode
}

/** The service judges the fields; its messages go to them, and what was typed stays. */
export function FormDialog({ title, submit, onSave, onClose, children }: FormDialogProps) {
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const problems = fieldErrors(error)
  const isAboutFields = Object.keys(problems).length > 0
  useEffect(() => {
    if (error !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  async function save(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      await onSave()
      onClose()
    } catch (refusal) {
      setError(refusal)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form ref={form} onSubmit={save} noValidate>
        {error !== undefined && (
          <Notice tone="stopped">{isAboutFields ? 'Check the marked fields.' : sentenceOf(error)}</Notice>
        )}
        {children(problems)}
        <div className="dialog-actions">
          <Button type="submit" busy={busy}>
            {submit}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
