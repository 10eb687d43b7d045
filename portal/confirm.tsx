import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { sentenceOf } from './data/errors.ts'
import { isSameName } from './format/same-name.ts'
import { Button } from './ui/button.tsx'
import { Dialog } from './ui/dialog.tsx'
import { TextField } from './ui/field.tsx'
import { Notice } from './ui/notice.tsx'

interface ConfirmProps {
  title: string
  children: ReactNode
  confirm: string
  keep?: string
  /** Resolves when done. If it fails, the dialog stays open and shows the error. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
  destructive?: boolean
  /** A name that the person has to type first. */
  typed?: string
}

export function Confirm({
  title,
  children,
  confirm,
  keep = 'Keep it as it is',
  onConfirm,
  onClose,
  destructive,
  typed,
}: ConfirmProps) {
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [name, setName] = useState('')
  const reason = useId()
  const actions = useRef<HTMLDivElement>(null)
  const isAtOnce = destructive === true && typed === undefined
  // The browser would focus the first button: who holds Enter a little longer would destroy something unasked.
  useEffect(() => {
    if (isAtOnce) actions.current?.querySelector<HTMLElement>('button:last-child')?.focus()
  }, [isAtOnce])
  const isMissing = typed !== undefined && !isSameName(name, typed)
  async function run() {
    setBusy(true)
    setProblem(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (error) {
      setProblem(sentenceOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} isHeld={busy} onClose={onClose}>
      {children}
      {problem !== undefined && <Notice tone="stopped">{problem}</Notice>}
      {typed !== undefined && (
        <>
          <TextField label={`Type ${typed} to confirm`} value={name} onChange={setName} />
          {isMissing && (
            <p id={reason} className="why">
              The name does not match yet.
            </p>
          )}
        </>
      )}
      <div ref={actions} className="dialog-actions">
        <Button
          busy={busy}
          actionType={destructive ? 'destructive' : 'normal'}
          offBecause={isMissing ? reason : undefined}
          onClick={run}
        >
          {confirm}
        </Button>
        <Button variant="subtle" busy={busy} onClick={onClose}>
          {keep}
        </Button>
      </div>
    </Dialog>
  )
}
