import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { whyNotStart } from '../allowed.ts'
import { type HistoryEntry, migrationsQuery } from '../data/queries.ts'
import { wholeNumber } from '../format/number.ts'
import { paths } from '../paths.ts'
import { useAsker } from '../session.tsx'
import { StatusBadge } from '../ui/badge.tsx'
import { Choice, SearchField } from '../ui/field.tsx'
import { LinkOrReason } from '../ui/link-or-reason.tsx'
import { ListPanel } from '../ui/list-panel.tsx'
import { EmptyNote } from '../ui/notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { When } from '../ui/when.tsx'
import { modeWords, statusWords } from '../words.ts'

const route = getRouteApi('/app/migrations')

export function NewMigrationLink() {
  return (
    <LinkOrReason to={paths.newMigration} offBecause={whyNotStart(useAsker())}>
      New migration
    </LinkOrReason>
  )
}

function NoMigrations() {
  return (
    <EmptyNote title="No migrations yet" action={<NewMigrationLink />}>
      A migration copies one store to another. A trial run shows what would happen and changes nothing.
    </EmptyNote>
  )
}

export function NoMatch({ all }: { all: typeof paths.migrations | typeof paths.allMigrations }) {
  return (
    <EmptyNote title="No migration matches" action={<Link to={all}>Clear filters</Link>}>
      Try other words.
    </EmptyNote>
  )
}

interface Filters {
  text?: string | undefined
  status?: HistoryEntry['status'] | undefined
  mode?: HistoryEntry['mode'] | undefined
}

/** The filters of every list of migrations; a change leads back to the first page. */
export function MigrationFilters({
  filters,
  onChange,
}: {
  filters: Filters
  onChange: (next: Filters & { cursor: undefined }) => void
}) {
  const change = (next: Filters) => onChange({ ...next, cursor: undefined })
  return (
    <>
      <SearchField
        label="Name, store or id"
        value={filters.text ?? ''}
        onChange={(text) => change({ text: text || undefined })}
      />
      <Choice label="Status" words={statusWords} value={filters.status} onChange={(status) => change({ status })} />
      <Choice label="What" words={modeWords} value={filters.mode} onChange={(mode) => change({ mode })} />
    </>
  )
}

type AnyMigration = Pick<HistoryEntry, 'source' | 'destination' | 'mode' | 'status' | 'failuresOpen' | 'timestamps'>

const outcomeColumns: Column<AnyMigration>[] = [
  { key: 'status', header: 'Status', cell: ({ status, mode }) => <StatusBadge status={status} mode={mode} /> },
  {
    key: 'review',
    header: 'Needs review',
    align: 'right',
    cell: ({ failuresOpen }) => (failuresOpen > 0 ? wholeNumber(failuresOpen) : '–'),
  },
  { key: 'created', header: 'Created', cell: ({ timestamps }) => <When at={timestamps.created} /> },
]

/** How every list of migrations shows one, after its name. */
export function columnsAfterName<Row extends AnyMigration>(what: (row: Row) => string): Column<Row>[] {
  return [
    { key: 'stores', header: 'From and to', narrow: 'plain', cell: storesOf },
    { key: 'mode', header: 'What', cell: what },
    ...outcomeColumns,
  ]
}

export const migrationColumns: Column<HistoryEntry>[] = [
  { key: 'label', header: 'Migration', narrow: 'title', cell: nameOf },
  ...columnsAfterName<HistoryEntry>(({ mode, selective }) => modeWords[mode] + (selective ? ', picked items' : '')),
]

export function storesOf({ source, destination }: Pick<HistoryEntry, 'source' | 'destination'>) {
  return (
    <>
      <bdi>{source.label}</bdi> → <bdi>{destination.label}</bdi>
    </>
  )
}

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

export function Migrations() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(migrationsQuery(filters))
  const show = (search: typeof filters) => navigate({ search, replace: true })
  const isFiltered = Object.values(filters).some(Boolean)
  return (
    <Screen title="Migrations" action={(data.items.length > 0 || isFiltered) && <NewMigrationLink />}>
      <ListPanel
        filters={<MigrationFilters filters={filters} onChange={(next) => show({ ...filters, ...next })} />}
        nextCursor={data.nextCursor}
        cursor={filters.cursor}
        onTurn={(cursor) => navigate({ search: { ...filters, cursor } })}
      >
        <Table
          caption="Migrations, newest first"
          columns={migrationColumns}
          rows={data.items}
          rowKey={({ requestId }) => requestId}
          empty={isFiltered ? <NoMatch all={paths.migrations} /> : <NoMigrations />}
        />
      </ListPanel>
    </Screen>
  )
}
