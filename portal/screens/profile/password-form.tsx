import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ownActions } from '../../data/people-actions.ts'
import { ownKey } from '../../data/people-queries.ts'
import { counted } from '../../format/number.ts'
import { TextField } from '../../ui/field.tsx'
import { OwnForm } from './own-form.tsx'

export function PasswordForm() {
  const queries = useQueryClient()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  async function save() {
    const { ended } = await ownActions.changePassword(current, next)
    setCurrent('')
    setNext('')
    await queries.invalidateQueries({ queryKey: ownKey })
    return `Your password is changed. ${counted(ended, 'other browser was', 'other browsers were')} signed out.`
  }
  return (
    <OwnForm title="Password" submit="Change the password" onSave={save}>
      {(problems) => (
        <>
          <TextField
            label="Current password"
            type="password"
            value={current}
            onChange={setCurrent}
            autoComplete="current-password"
            problem={problems.currentPassword}
          />
          <TextField
            label="New password"
            type="password"
            value={next}
            onChange={setNext}
            autoComplete="new-password"
            problem={problems.newPassword}
            hint="At least 12 characters."
          />
          <p className="hint">
            You stay signed in here. Every other browser and API token of yours is signed out, and your assistants are
            disconnected.
          </p>
        </>
      )}
    </OwnForm>
  )
}
