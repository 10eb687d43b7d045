import { type RefObject, useEffect } from 'react'
import { isPortalKey, openLayer } from '../../keys.tsx'

/**
 * Keyboard shortcuts of a list: for the next and previous row, and for the buttons of the focused row. While an issue
 * is open beside the list, they are for the next and previous issue, and for its buttons.
 */
export function useIssueKeys(
  list: RefObject<HTMLElement | null>,
  opened: string | undefined,
  onOpen: (issue: string) => unknown,
): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const layer = openLayer()
      if (!isPortalKey(event) || (layer && !layer.matches('.drawer'))) return
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-issue-row]') ?? [])]
      const isAt = (row: HTMLElement) =>
        layer ? row.dataset.issueRow === opened : row.contains(document.activeElement)
      const at = rows.findIndex(isAt)
      const show = (row: HTMLElement | undefined) => {
        if (!layer) row?.querySelector<HTMLElement>('a')?.focus()
        else if (row?.dataset.issueRow) onOpen(row.dataset.issueRow)
      }
      const press = (button: string) =>
        (layer ?? rows[at])?.querySelector<HTMLElement>(`[data-key="${button}"] button`)?.click()
      if (event.key === 'j') show(rows[Math.min(at + 1, rows.length - 1)])
      else if (event.key === 'k') show(rows[Math.max(at - 1, 0)])
      else if (event.key === 'a' || event.key === 'r') press(event.key)
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [list, opened, onOpen])
}
