import type { ReactNode } from 'react'
import { Pager } from './pager.tsx'
import { Panel } from './panel.tsx'
import { Results } from './results.tsx'

interface Props {
  title?: string
  /** The search field and filters above the table. */
  filters?: ReactNode
  /** Replaces the rows and pages if they could not be loaded. */
  problem?: ReactNode
  children: ReactNode
  page: { items: readonly unknown[]; nextCursor: string | null }
  /** What was searched for to get this page. */
  shown: { cursor?: string | undefined }
  /** Called with undefined for the first page. */
  onTurn: (cursor: string | undefined) => void
  order?: 'time' | 'name'
}

/** A table with its filters above and its pager below. */
export function ListPanel({ title, filters, problem, children, page, shown, onTurn, order = 'time' }: Props) {
  return (
    <Panel title={title} flush>
      {filters && <search className="filters">{filters}</search>}
      <Results shown={shown} count={page.items.length} hasMore={page.nextCursor !== null} />
      {problem ?? (
        <>
          {children}
          <Pager next={page.nextCursor} isFirst={!shown.cursor} onTurn={onTurn} order={order} />
        </>
      )}
    </Panel>
  )
}
