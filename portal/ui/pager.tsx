import { Button } from './button.tsx'

interface Props {
  next: string | null
  isFirst: boolean
  onNext: (cursor: string) => void
  onFirst: () => void
}

/** Through a list whose end is not known; absent when everything fits. */
export function Pager({ next, isFirst, onNext, onFirst }: Props) {
  if (next === null && isFirst) return null
  return (
    <nav className="pager" aria-label="Pages">
      {!isFirst && (
        <Button variant="secondary" onClick={onFirst}>
          Newest
        </Button>
      )}
      {next !== null && (
        <Button variant="secondary" onClick={() => onNext(next)}>
          Older
        </Button>
      )}
    </nav>
  )
}
