import { type RefObject, useEffect } from 'react'

/** Keyboard shortcuts of a list: for the next and previous row, and for the buttons of the focused row. */
export function useIssueKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-issue-row]') ?? [])]
      const at = rows.findIndex((row) => row.contains(document.activeElement))
      const press = (button: string) => rows[at]?.querySelector<HTMLElement>(`[data-key="${button}"] button`)?.click()
      if (event.key === 'j') focusRow(rows[Math.min(at + 1, rows.length - 1)])
      else if (event.key === 'k') focusRow(rows[Math.max(at - 1, 0)])
      else if (event.key === 'a' || event.key === 'r') press(event.key)
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [list])
}

/** Whether the person is typing, or a dialog is open. */
function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('dialog[open]')) return true
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null
}

function focusRow(row: HTMLElement | undefined): void {
  row?.querySelector<HTMLElement>('a')?.focus()
}
