import { type FormEvent, type ReactNode, useState } from 'react'
import { fieldErrors, sentenceOf } from './data/errors.ts'
import { Button } from './ui/button.tsx'
import { Dialog } from './ui/dialog.tsx'
import { Notice } from './ui/notice.tsx'
import { useWrongField } from './use-wrong-field.ts'

interface FormDialogProps {
  title: string
  submit: string
  onSave: () => Promise<void>
  onClose: () => void
  /** The fields, for the service's message about each of them. */
  children: (problems: Record<string, string>) => ReactNode
}

/** The service checks the fields. Its messages appear at the fields, and what was typed stays. */
export function FormDialog({ title, submit, onSave, onClose, children }: FormDialogProps) {
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const form = useWrongField(error)
  const problems = fieldErrors(error)
  const isAboutFields = Object.keys(problems).length > 0
  async function save(event: FormEvent) {
    event.preventDefault()
    // Enter in a form with one field sends it also while its button is off.
    if (busy) return
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
    <Dialog title={title} isHeld={busy} onClose={onClose}>
      <form ref={form} onSubmit={save} noValidate>
        {error !== undefined && (
          <Notice tone="stopped">{isAboutFields ? 'Check the marked fields.' : sentenceOf(error)}</Notice>
        )}
        {children(problems)}
        <div className="dialog-actions">
          <Button type="submit" busy={busy}>
            {submit}
          </Button>
          <Button variant="subtle" busy={busy} onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
