import { type FormEvent, type ReactNode, useState } from 'react'
import { whyNotNow } from '../../allowed.ts'
import { fieldErrors, sentenceOf } from '../../data/errors.ts'
import { useOnline } from '../../online.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useWhys } from '../../ui/reasons.tsx'
import { useWrongField } from '../../use-wrong-field.ts'

interface Props {
  title: string
  submit: string
  /** @returns the message to display once it is done */
  onSave: () => Promise<string>
  /** The fields, for the service's message about each of them. */
  children: (problems: Record<string, string>) => ReactNode
}

/** A form on the page. It displays the result above its fields. */
export function OwnForm({ title, submit, onSave, children }: Props) {
  const [error, setError] = useState<unknown>()
  const [done, setDone] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useWrongField(error)
  const reason = whyNotNow(useOnline())
  const { idOf, notes } = useWhys([reason])
  const problems = fieldErrors(error)
  const isAboutFields = Object.keys(problems).length > 0
  async function save(event: FormEvent) {
    event.preventDefault()
    if (busy || reason !== undefined) return
    setBusy(true)
    setError(undefined)
    setDone(undefined)
    try {
      setDone(await onSave())
    } catch (refusal) {
      setError(refusal)
    }
    setBusy(false)
  }
  return (
    <Panel title={title}>
      <form ref={form} className="own-form" onSubmit={save} noValidate>
        {done !== undefined && <Notice tone="done">{done}</Notice>}
        {error !== undefined && (
          <Notice tone="stopped">{isAboutFields ? 'Check the marked fields.' : sentenceOf(error)}</Notice>
        )}
        {children(problems)}
        <div className="dialog-actions">
          <Button type="submit" busy={busy} offBecause={idOf(reason)}>
            {submit}
          </Button>
        </div>
        {notes}
      </form>
    </Panel>
  )
}
