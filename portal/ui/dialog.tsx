import { type ReactNode, useEffect, useId, useRef } from 'react'

interface DialogProps {
  title: string
  /** Beside the list, over its whole height. */
  isDrawer?: boolean
  onClose: () => void
  children: ReactNode
}

/** The browser's own modal: it keeps focus inside, closes with Escape and returns focus. */
export function Dialog({ title, isDrawer = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  return (
    <dialog ref={dialog} className={isDrawer ? 'dialog drawer' : 'dialog'} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>
        <bdi>{title}</bdi>
      </h2>
      {children}
    </dialog>
  )
}
