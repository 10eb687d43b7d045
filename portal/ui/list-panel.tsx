import type { ReactNode } from 'react'
import { Pager } from './pager.tsx'
import { Panel } from './panel.tsx'

interface Props {
  title?: string
  /** The search field and filters above the table. */
  filters?: ReactNode
  /** Replaces the rows and pages if they could not be loaded. */
  problem?: ReactNode
  children: ReactNode
  nextCursor: string | null
  cursor: string | undefined
  /** Called with undefined for the first page. */
  onTurn: (cursor: string | undefined) => void
  order?: 'time' | 'name'
}

/** A table with its filters above and its pager below. */
export function ListPanel({ title, filters, problem, children, nextCursor, cursor, onTurn, order = 'time' }: Props) {
  return (
    <Panel title={title} flush>
      {filters && <search className="filters">{filters}</search>}
      {problem ?? (
        <>
          {children}
          <Pager next={nextCursor} isFirst={!cursor} onTurn={onTurn} order={order} />
        </>
      )}
    </Panel>
  )
}
