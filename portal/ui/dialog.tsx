import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react'
import { useLayer } from '../use-close-opened.ts'
import { SayAnew } from './reasons.tsx'

interface DialogProps {
  title: string
  /** Opens beside the list, as high as the window. */
  isDrawer?: boolean
  /** Whether it stays open whatever the person does, because what was decided is being sent. */
  isHeld?: boolean
  onClose: () => void
  children: ReactNode
}

/** A dialog without an address of its own, which the back button closes, too. */
export function Dialog(props: DialogProps) {
  useLayer(() => {
    if (!props.isHeld) props.onClose()
  })
  return <AddressedDialog {...props} />
}

/** The browser's own modal dialog: it keeps the focus inside, closes with Escape, and returns the focus. */
export function AddressedDialog({ title, isDrawer = false, isHeld = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // Before it leaves the page, or the browser could not return the focus.
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => {
      current?.close()
      setTimeout(keepFocus)
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={isDrawer ? 'dialog drawer' : 'dialog'}
      aria-labelledby={id}
      {...closing(onClose, isHeld)}
    >
      <h2 id={id}>
        <bdi>{title}</bdi>
      </h2>
      <SayAnew>{children}</SayAnew>
    </dialog>
  )
}

/** The only action of a dialog that just shows something. */
export function CloseAction() {
  return (
    <form method="dialog" className="dialog-actions">
      <button type="submit" className="link-button">
        Close
      </button>
    </form>
  )
}

/**
 * Escape closes a dialog at once. The browser reports what it closed by itself only later: until then, the button that
 * has the focus again would do nothing, because the dialog counts as open. Nor does a dialog that has left the page
 * close the next one.
 */
export function closing(onClose: () => void, isHeld = false) {
  return {
    onCancel(event: SyntheticEvent) {
      event.preventDefault()
      if (!isHeld) onClose()
    },
    onClose({ currentTarget }: SyntheticEvent<HTMLDialogElement>) {
      if (!currentTarget.isConnected) return
      // A second Escape closes it without asking.
      if (isHeld) currentTarget.showModal()
      else onClose()
    },
  }
}

/** What was decided may have taken the button away that the browser returned the focus to. */
export function keepFocus(): void {
  if (document.activeElement !== document.body) return
  const inDrawer = document.querySelector<HTMLElement>('dialog[open] :is(a, button)')
  const next = inDrawer ?? document.querySelector<HTMLElement>('h1')
  next?.focus({ preventScroll: true })
}
