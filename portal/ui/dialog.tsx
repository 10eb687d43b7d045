import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { SayAnew } from './reasons.tsx'

interface DialogProps {
  title: string
  /** Opens beside the list, as high as the window. */
  isDrawer?: boolean
  onClose: () => void
  children: ReactNode
}

/** The browser's own modal dialog: it keeps the focus inside, closes with Escape, and returns the focus. */
export function Dialog({ title, isDrawer = false, onClose, children }: DialogProps) {
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
    <dialog ref={dialog} className={isDrawer ? 'dialog drawer' : 'dialog'} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>
        <bdi>{title}</bdi>
      </h2>
      <SayAnew>{children}</SayAnew>
    </dialog>
  )
}

/** What was decided may have taken the button away that the browser returned the focus to. */
export function keepFocus(): void {
  if (document.activeElement !== document.body) return
  const inDrawer = document.querySelector<HTMLElement>('dialog[open] :is(a, button)')
  const next = inDrawer ?? document.querySelector<HTMLElement>('h1')
  next?.focus({ preventScroll: true })
}
