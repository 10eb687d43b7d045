import { type Role, roleMeanings, roles } from '../../src/contract/accounts/permissions.ts'
import { RadioGroup } from '../ui/choices.tsx'
import { TextField } from '../ui/field.tsx'
import { roleWords } from '../words.ts'

export const noPerson = { firstName: '', lastName: '', email: '' }

interface PersonFieldsProps {
  person: typeof noPerson
  onChange: (person: typeof noPerson) => void
  problems: Record<string, string>
  /** The path of these fields in error messages of the API. */
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

const roleOptions = roles.map((value) => ({ value, words: roleWords[value], meaning: roleMeanings[value] }))

export function RoleField({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  return <RadioGroup legend="Role" value={role} options={roleOptions} onChange={onChange} />
}
