import { useSuspenseQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type HistoryEntry, homeQueries } from '../data/queries.ts'
import { paths } from '../paths.ts'
import { useSession } from '../session.tsx'
import { EmptyNote } from '../ui/notice.tsx'
import { Panel } from '../ui/panel.tsx'
import { Screen } from '../ui/screen.tsx'
import { Table } from '../ui/table.tsx'
import { migrationColumns, NoMigrations } from './migrations.tsx'

const homeColumns = migrationColumns.filter(({ key }) => key !== 'review')

export function Home() {
  const { organization } = useSession()
  return (
    <Screen title="Home">
      {organization ? (
        <Overview />
      ) : (
        <Panel>
          <EmptyNote title="You are not a member of any organization">
            Ask an owner of your organization to invite you.
          </EmptyNote>
        </Panel>
      )}
    </Screen>
  )
}

function Overview() {
  const [review, paused, running, latest] = useSuspenseQueries({ queries: homeQueries() }).map(({ data }) => data.items)
  if (!latest || latest.length === 0)
    return (
      <Panel>
        <NoMigrations />
      </Panel>
    )
  return (
    <div className="stack home">
      <Group title="Needs you" rows={[...(paused ?? []), ...(review ?? [])]} empty="Nothing needs review." />
      <Group title="Running" rows={running ?? []} empty="Nothing is running." />
      <Group title="Latest" rows={latest} empty="" />
      <p>
        <Link to={paths.migrations}>All migrations</Link>
      </p>
    </div>
  )
}

function Group({ title, rows, empty }: { title: string; rows: HistoryEntry[]; empty: string }) {
  return (
    <Panel title={title} flush>
      <Table
        caption={title}
        columns={homeColumns}
        rows={rows}
        rowKey={({ requestId }) => requestId}
        empty={<p className="quiet-line">{empty}</p>}
      />
    </Panel>
  )
}
