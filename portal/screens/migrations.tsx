import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type HistoryEntry, migrationsQuery } from '../data/queries.ts'
import { wholeNumber } from '../format/number.ts'
import { paths } from '../paths.ts'
import { useMay } from '../session.tsx'
import { StatusBadge } from '../ui/badge.tsx'
import { Choice, SearchField } from '../ui/field.tsx'
import { EmptyNote } from '../ui/notice.tsx'
import { Pager } from '../ui/pager.tsx'
import { Panel } from '../ui/panel.tsx'
import { Screen } from '../ui/screen.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { When } from '../ui/when.tsx'
import { modeWords, statusWords } from '../words.ts'

const route = getRouteApi('/app/migrations')

export function NoMigrations() {
  const mayCreate = useMay('create-migration')
  return (
    <EmptyNote title="No migrations yet">
      A migration copies one store to another. A trial run shows what would happen and changes nothing.{' '}
      {mayCreate
        ? 'Start one from the command line or the API.'
        : 'An owner or operator of your organization can start one.'}
    </EmptyNote>
  )
}

const noMatch = (
  <EmptyNote title="No migration matches" action={<Link to={paths.migrations}>Clear filters</Link>}>
    Try other words.
  </EmptyNote>
)

export const migrationColumns: Column<HistoryEntry>[] = [
  { key: 'label', header: 'Migration', narrow: 'title', cell: nameOf },
  { key: 'stores', header: 'From and to', narrow: 'plain', cell: storesOf },
  { key: 'mode', header: 'What', cell: ({ mode, selective }) => modeWords[mode] + (selective ? ', picked items' : '') },
  { key: 'status', header: 'Status', cell: ({ status, mode }) => <StatusBadge status={status} mode={mode} /> },
  {
    key: 'review',
    header: 'Needs review',
    align: 'right',
    cell: ({ failuresOpen }) => (failuresOpen > 0 ? wholeNumber(failuresOpen) : '–'),
  },
  { key: 'created', header: 'Created', cell: ({ timestamps }) => <When at={timestamps.created} /> },
]

function nameOf({ requestId, label, summaryLine }: HistoryEntry) {
  return (
    <>
      <Link to="/app/migrations/$id" params={{ id: requestId }}>
        <bdi>{label ?? 'Unnamed migration'}</bdi>
      </Link>
      <small>
        <bdi>{summaryLine}</bdi>
      </small>
    </>
  )
}

export function storesOf({ source, destination }: Pick<HistoryEntry, 'source' | 'destination'>) {
  return (
    <>
      <bdi>{source.label}</bdi> → <bdi>{destination.label}</bdi>
    </>
  )
}

export function Migrations() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(migrationsQuery(filters))
  const show = (search: typeof filters) => navigate({ search, replace: true })
  const isFiltered = Object.values(filters).some(Boolean)
  return (
    <Screen title="Migrations">
      <Panel flush>
        <search className="filters">
          <SearchField
            label="Name, store or id"
            value={filters.text ?? ''}
            onChange={(text) => show({ ...filters, text: text || undefined, cursor: undefined })}
          />
          <Choice
            label="Status"
            words={statusWords}
            value={filters.status}
            onChange={(status) => show({ ...filters, status, cursor: undefined })}
          />
          <Choice
            label="What"
            words={modeWords}
            value={filters.mode}
            onChange={(mode) => show({ ...filters, mode, cursor: undefined })}
          />
        </search>
        <Table
          caption="Migrations, newest first"
          columns={migrationColumns}
          rows={data.items}
          rowKey={({ requestId }) => requestId}
          empty={isFiltered ? noMatch : <NoMigrations />}
        />
        <Pager
          next={data.nextCursor}
          isFirst={!filters.cursor}
          onNext={(cursor) => navigate({ search: { ...filters, cursor } })}
          onFirst={() => navigate({ search: { ...filters, cursor: undefined } })}
        />
      </Panel>
    </Screen>
  )
}
