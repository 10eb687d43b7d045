import { type ReactNode, useId } from 'react'

interface Props {
  /** Where a link of an error summary leads. */
  id?: string
  title?: string
  action?: ReactNode
  children: ReactNode
  /** Contents that reach the edge, such as a table. */
  flush?: boolean
}

export function Panel({ id: given, title, action, children, flush = false }: Props) {
  const id = useId()
  return (
    <section
      id={given}
      className={flush ? 'panel flush' : 'panel'}
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
