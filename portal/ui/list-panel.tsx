import type { ReactNode } from 'react'
import { Pager } from './pager.tsx'
import { Panel } from './panel.tsx'

interface Props {
  title?: string
  /** Search field and filters above the table. */
  filters?: ReactNode
  /** What stands in place of rows and pages, where they could not be loaded. */
  problem?: ReactNode
  children: ReactNode
  nextCursor: string | null
  cursor: string | undefined
  /** Undefined leads to the first page. */
  onTurn: (cursor: string | undefined) => void
  order?: 'time' | 'name'
}

/** A table with its filters above and its pages below. */
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
