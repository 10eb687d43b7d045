import { type FormEvent, useState } from 'react'
import { fieldErrors, sentenceOf } from '../../data/errors.ts'
import { ownActions } from '../../data/people-actions.ts'
import type { BegunSecondStep } from '../../data/people-queries.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useWrongField } from '../../use-wrong-field.ts'

interface Props {
  begun: BegunSecondStep
  onDone: (recoveryCodes: string[]) => Promise<void>
  onCancel: () => void
}

/** The person enters the secret in the app, then a code of the app here. */
export function FirstCode({ begun: { secret, picture }, onDone, onCancel }: Props) {
  const [code, setCode] = useState('')
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const form = useWrongField(error)
  const problem = fieldErrors(error).code
  async function confirm(event: FormEvent) {
    event.preventDefault()
    // As in `FormDialog`.
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      const { recoveryCodes } = await ownActions.confirmSecondStep(code)
      await onDone(recoveryCodes)
    } catch (refusal) {
      setError(refusal)
      setBusy(false)
    }
  }
  return (
    <form ref={form} className="own-form" onSubmit={confirm} noValidate>
      {error !== undefined && problem === undefined && <Notice tone="stopped">{sentenceOf(error)}</Notice>}
      <p>Scan this with an authenticator app, or type the key into it.</p>
      <img
        className="app-code"
        src={`data:image/svg+xml,${encodeURIComponent(picture)}`}
        alt="QR code of the key below"
        width="200"
        height="200"
      />
      <p>
        Key: <code className="app-key">{secret.match(/.{1,4}/g)?.join(' ')}</code>{' '}
        <CopyButton text={secret} label="Copy the key" />
      </p>
      <TextField
        label="Code that the app shows"
        value={code}
        onChange={setCode}
        autoComplete="one-time-code"
        problem={problem}
        hint="Six digits; it changes every 30 seconds."
      />
      <div className="dialog-actions">
        <Button type="submit" busy={busy}>
          Turn on
        </Button>
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
