import { type ReactNode, useId } from 'react'

interface Props {
  title?: string
  action?: ReactNode
  children: ReactNode
  /** Contents that reach the edge, such as a table. */
  flush?: boolean
}

export function Panel({ title, action, children, flush = false }: Props) {
  const id = useId()
  return (
    <section className={flush ? 'panel flush' : 'panel'} aria-labelledby={title === undefined ? undefined : id}>
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
