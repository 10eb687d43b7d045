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
  if (next === null && isFirst) return null
  return (
    <nav className="pager" aria-label="Pages">
      {!isFirst && (
        <Button variant="secondary" onClick={() => onTurn(undefined)}>
          {words[order].first}
        </Button>
      )}
      {next !== null && (
        <Button variant="secondary" onClick={() => onTurn(next)}>
          {words[order].next}
        </Button>
      )}
    </nav>
  )
}
