import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { timelineQuery } from '../../data/findings.ts'
import { migrationQuery } from '../../data/queries.ts'
import { Panel } from '../../ui/panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { type ActivityEntry, entriesOf } from './activity-entries.ts'

const route = getRouteApi('/app/migrations/$id/activity')

const columns: Column<ActivityEntry>[] = [
  { key: 'what', header: 'What', narrow: 'title', cell: ({ what }) => what },
  { key: 'by', header: 'Who', cell: ({ by }) => (by === null ? '–' : <bdi>{by}</bdi>) },
  { key: 'took', header: 'How long', cell: ({ took }) => took ?? '–' },
  { key: 'at', header: 'When', cell: ({ at }) => <When at={at} isLogged /> },
]

/** What happened to a migration and who requested it, from newest to oldest. */
export function Activity() {
  const { id } = route.useParams()
  const { data: migration } = useSuspenseQuery(migrationQuery(id))
  const { data } = useSuspenseQuery(timelineQuery(id))
  return (
    <Panel flush>
      <Table
        caption="Activity, newest first"
        columns={columns}
        rows={entriesOf(data.events, migration)}
        rowKey={({ key }) => key}
        empty={null}
      />
    </Panel>
  )
}
