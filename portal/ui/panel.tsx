import { type ReactNode, useId } from 'react'

interface Props {
  /** Where a link of an error summary leads. */
  id?: string
  title?: string
  action?: ReactNode
  children: ReactNode
  /** Contents that reach the edge, such as a table. */
  flush?: boolean
  /** What a person has to decide on stands out. */
  tone?: 'stopped'
}

export function Panel({ id: given, title, action, children, flush = false, tone }: Props) {
  const id = useId()
  return (
    <section
      id={given}
      className={['panel', flush && 'flush', tone && `edged-${tone}`].filter(Boolean).join(' ')}
      aria-labelledby={title === undefined ? undefined : id}
      tabIndex={given === undefined ? undefined : -1}
    >
      {title !== undefined && (
        <div className="panel-head">
          <h2 id={id}>{title}</h2>
          {action}
        </div>
      )}
      {children}
    </section>
  )
}
