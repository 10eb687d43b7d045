import { type RefObject, useEffect, useRef } from 'react'

/** For a form: after a refusal, the first field that it is about gets the focus. */
export function useWrongField(error: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [error])
  return form
}
