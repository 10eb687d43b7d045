import { useEffect, useRef } from 'react'
import { Button } from './button.tsx'

interface Props {
  next: string | null
  isFirst: boolean
  /** Called with undefined for the first page. */
  onTurn: (cursor: string | undefined) => void
  order: 'time' | 'name'
}

const words = { time: { first: 'Newest', next: 'Older' }, name: { first: 'First page', next: 'Next page' } }

/** Pages through a list of unknown length. Renders nothing if there is only one page. */
export function Pager({ next, isFirst, onTurn, order }: Props) {
  const pages = useRef<HTMLElement>(null)
  const pressed = useRef<Element>(null)
  // The page that a button leads to may not have the button, whose focus would be lost.
  useEffect(() => {
    if (pressed.current === null || pressed.current.isConnected) return
    pressed.current = null
    pages.current?.focus()
  })
  function turn(cursor: string | undefined) {
    pressed.current = document.activeElement
    onTurn(cursor)
  }
  if (next === null && isFirst) return null
  return (
    <nav ref={pages} className="pager" aria-label="Pages" tabIndex={-1}>
      {!isFirst && (
        <Button variant="secondary" onClick={() => turn(undefined)}>
          {words[order].first}
        </Button>
      )}
      {next !== null && (
        <Button variant="secondary" onClick={() => turn(next)}>
          {words[order].next}
        </Button>
      )}
    </nav>
  )
}
