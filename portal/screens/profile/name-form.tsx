import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ownActions } from '../../data/people-actions.ts'
import { ownKey } from '../../data/people-queries.ts'
import { sessionQuery } from '../../data/queries.ts'
import { useSession } from '../../session.tsx'
import { TextField } from '../../ui/field.tsx'
import { OwnForm } from './own-form.tsx'

export function NameForm() {
  const { user } = useSession()
  const queries = useQueryClient()
  const [firstName, setFirstName] = useState(user.firstName)
  const [lastName, setLastName] = useState(user.lastName)
  async function save() {
    await ownActions.changeName({ firstName, lastName })
    await Promise.all([
      queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
      queries.invalidateQueries({ queryKey: ownKey }),
    ])
    return 'Your name is changed.'
  }
  return (
    <OwnForm title="Name" submit="Save the name" onSave={save}>
      {(problems) => (
        <>
          <TextField
            label="First name"
            value={firstName}
            onChange={setFirstName}
            autoComplete="given-name"
            problem={problems.firstName}
          />
          <TextField
            label="Last name"
            value={lastName}
            onChange={setLastName}
            autoComplete="family-name"
            problem={problems.lastName}
          />
          <p className="hint">Programs that log in to the API with your name have to use the new one.</p>
        </>
      )}
    </OwnForm>
  )
}
