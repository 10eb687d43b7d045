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

/** A new person, with the link where they choose a password. */
export interface Invited {
  email: string
  link: string
  expiresAt: string
}

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

export function AddPerson({ organization, onDone, onClose }: FormProps & { organization: OrganizationEntry }) {
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
