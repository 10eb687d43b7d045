import { type ReactNode, useId } from 'react'

interface Props {
  /** For links of an error summary. */
  id?: string
  title?: string
  action?: ReactNode
  children: ReactNode
  /** The content reaches the edge, such as a table. */
  flush?: boolean
  /** Makes a panel stand out in which the person has to decide something. */
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
