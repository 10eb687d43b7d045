import { useEffect, useRef } from 'react'

export interface FieldProblem {
  /** Id of the field, or of its section. */
  field: string
  message: string
}

/** Takes the focus. Each line links to its field. */
export function ErrorSummary({ title, problems }: { title: string; problems: FieldProblem[] }) {
  const panel = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new list is a new answer
  useEffect(() => panel.current?.focus(), [problems])
  return (
    <div ref={panel} className="notice stopped error-summary" role="alert" tabIndex={-1}>
      <strong>{title}</strong>
      <ul>
        {problems.map(({ field, message }) => (
          <li key={field + message}>
            <a
              href={`#${field}`}
              onClick={(event) => {
                event.preventDefault()
                goTo(field)
              }}
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

function goTo(field: string): void {
  const target = document.getElementById(field)
  target?.scrollIntoView({ block: 'center' })
  target?.focus({ preventScroll: true })
}
