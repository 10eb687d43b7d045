import { useEffect, useState } from 'react'
import { onProofNeeded, type Proved } from './data/client.ts'
import { ownActions } from './data/people-actions.ts'
import { FormDialog } from './form-dialog.tsx'
import { useSession } from './session.tsx'
import { TextField } from './ui/field.tsx'

/**
 * Opens above whatever needs the proof. If the person gives it, requests that wait for it continue; otherwise they
 * fail.
 */
export function ProofDialog() {
  const [waiting, setWaiting] = useState<Proved[]>([])
  useEffect(() => onProofNeeded((proved) => setWaiting((others) => [...others, proved])), [])
  if (waiting.length === 0) return null
  function end(isProved: boolean) {
    for (const proved of waiting) proved(isProved)
    setWaiting([])
  }
  return <Proof onEnd={end} />
}

function Proof({ onEnd }: { onEnd: Proved }) {
  const { secondStep } = useSession()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  async function prove() {
    await ownActions.reauthenticate(password, secondStep ? code : undefined)
    onEnd(true)
  }
  return (
    <FormDialog title="Your password again" submit="Continue" onSave={prove} onClose={() => onEnd(false)}>
      {(problems) => (
        <>
          <p>This opens a lot, and you gave your password more than 15 minutes ago.</p>
          <TextField
            label="Password"
            type="password"
            value={password}
            onChange={setPassword}
            autoComplete="current-password"
            problem={problems.currentPassword}
          />
          {secondStep && (
            <TextField
              label="Code of your app, or a recovery code"
              value={code}
              onChange={setCode}
              autoComplete="one-time-code"
              problem={problems.code}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}
