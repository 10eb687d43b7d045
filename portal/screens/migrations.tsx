import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { whyNotStart } from '../allowed.ts'
import { creatorsQuery, type HistoryEntry, migrationsQuery } from '../data/queries.ts'
import { storesQuery } from '../data/store-queries.ts'
import { wholeNumber } from '../format/number.ts'
import { tookDuration } from '../format/time.ts'
import { paths } from '../paths.ts'
import { useAsker, useSession } from '../session.tsx'
import { StatusBadge } from '../ui/badge.tsx'
import { ClearFilters } from '../ui/clear-filters.tsx'
import { Choice, DateField, SearchField } from '../ui/field.tsx'
import { LinkOrReason } from '../ui/link-or-reason.tsx'
import { ListPanel } from '../ui/list-panel.tsx'
import { EmptyNote } from '../ui/notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { Several } from '../ui/several.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { When } from '../ui/when.tsx'
import { useShown } from '../use-shown.ts'
import { migrationName, modeWords, sortWords, statusWords } from '../words.ts'
import { type MigrationSearch, migrationFiltersOf, statusesOf, withKnownStore } from './migration-search.ts'
import { PartState } from './part-state.tsx'

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

export const noMatch = (
  <EmptyNote title="No migration matches" action={<ClearFilters />}>
    Try other words, or fewer filters.
  </EmptyNote>
)

/** The filters and order of every list of migrations. A change leads back to the first page. */
export function MigrationFilters({
  filters: { status, mode, text, from, until, sort },
  onChange,
  children,
}: {
  filters: MigrationSearch
  onChange: (next: MigrationSearch) => void
  /** Further ones, of one list. */
  children?: ReactNode
}) {
  const change = (next: MigrationSearch) => onChange({ ...next, cursor: undefined })
  return (
    <>
      <SearchField
        label="Name, store or id"
        value={text ?? ''}
        onChange={(next) => change({ text: next || undefined })}
      />
      <Several
        label="Status"
        words={statusWords}
        chosen={statusesOf(status)}
        onChange={(next) => change({ status: next.join(',') || undefined })}
      />
      <Choice label="What" words={modeWords} value={mode} onChange={(next) => change({ mode: next })} />
      {children}
      <DateField label="Created from" value={from} onChange={(next) => change({ from: next })} />
      <DateField label="Created until" value={until} onChange={(next) => change({ until: next })} />
      <Choice label="Order" words={sortWords} none={newest} value={sort} onChange={(next) => change({ sort: next })} />
    </>
  )
}

const newest = 'Newest'

/** The order in words, for a caption. */
export function orderWords(sort: MigrationSearch['sort']): string {
  return (sort ? sortWords[sort] : newest).toLowerCase()
}

/** Whether the search may leave out some migrations. */
export function isNarrowed({ sort: _, ...rest }: MigrationSearch): boolean {
  return Object.values(rest).some(Boolean)
}

type AnyMigration = Pick<
  HistoryEntry,
  'source' | 'destination' | 'mode' | 'status' | 'tryingAgain' | 'failuresOpen' | 'timestamps' | 'workedSeconds'
> & {
  /** Absent where an administrator looks at other organizations. */
  createdBy?: HistoryEntry['createdBy']
}

function outcomeColumns(sort: MigrationSearch['sort']): Column<AnyMigration>[] {
  return [
    {
      key: 'status',
      header: 'Status',
      cell: ({ status, mode, tryingAgain }) => <StatusBadge status={status} mode={mode} isRetry={tryingAgain} />,
    },
    {
      key: 'review',
      header: 'Needs review',
      align: 'right',
      isSorted: sort === 'failures',
      cell: ({ failuresOpen }) => (failuresOpen > 0 ? wholeNumber(failuresOpen) : '–'),
    },
    ...(sort === 'duration' ? [durationColumn] : []),
    ...(sort === 'updated' ? [updatedColumn] : []),
    {
      key: 'created',
      header: 'Created',
      isSorted: sort === undefined,
      cell: ({ timestamps, createdBy }) => (
        <>
          <When at={timestamps.created} />
          {createdBy && (
            <small>
              by <bdi>{createdBy.name}</bdi>
            </small>
          )}
        </>
      ),
    },
  ]
}

/** Displayed if the list is in this order. */
const durationColumn: Column<AnyMigration> = {
  key: 'duration',
  header: 'Worked',
  isSorted: true,
  cell: ({ workedSeconds }) => (workedSeconds > 0 ? tookDuration(workedSeconds) : '–'),
}

/** Displayed if the list is in this order. */
const updatedColumn: Column<AnyMigration> = {
  key: 'updated',
  header: 'Last changed',
  isSorted: true,
  cell: ({ timestamps }) => <When at={timestamps.updated} />,
}

/** The columns after the name, in every list of migrations. */
export function columnsAfterName<Row extends AnyMigration>(
  what: (row: Row) => string,
  sort: MigrationSearch['sort'],
): Column<Row>[] {
  return [
    { key: 'stores', header: 'From and to', narrow: 'plain', cell: storesOf },
    { key: 'mode', header: 'What', cell: what },
    ...outcomeColumns(sort),
  ]
}

export function migrationColumns(sort?: MigrationSearch['sort']): Column<HistoryEntry>[] {
  const what = ({ mode, selective }: HistoryEntry) => modeWords[mode] + (selective ? ', picked items' : '')
  return [{ key: 'label', header: 'Migration', narrow: 'title', cell: nameOf }, ...columnsAfterName(what, sort)]
}

/** The columns for short lists of the newest migrations, where other panels count the issues. */
export const briefColumns = migrationColumns().filter(({ key }) => key !== 'review')

export function storesOf({ source, destination }: Pick<HistoryEntry, 'source' | 'destination'>) {
  return (
    <>
      <bdi>{source.label}</bdi> → <bdi>{destination.label}</bdi>
    </>
  )
}

function nameOf({ requestId, label, mode, summaryLine }: HistoryEntry) {
  return (
    <>
      <Link to="/app/migrations/$id" params={{ id: requestId }}>
        <bdi>{migrationName(label, mode)}</bdi>
      </Link>
      <small>
        <bdi>{summaryLine}</bdi>
      </small>
    </>
  )
}

const listQuery = (filters: MigrationSearch) => migrationsQuery(migrationFiltersOf(filters))

/** The people to choose among, the reader first. */
function usePeople(chosen: string | undefined): Record<string, string> {
  const { user } = useSession()
  const { data } = useQuery(creatorsQuery())
  return {
    [user.id]: '',
    ...(chosen !== undefined && { [chosen]: 'Somebody else' }),
    ...Object.fromEntries(data?.items.map(({ id, name, email }) => [id, email ? `${name} (${email})` : name]) ?? []),
    // After the others, whose words it replaces, and yet first in the list.
    [user.id]: 'You',
  }
}

export function Migrations() {
  const { data: stores } = useSuspenseQuery(storesQuery())
  const filters = withKnownStore(route.useSearch(), stores)
  const navigate = route.useNavigate()
  const { shown, failed } = useShown(filters, listQuery)
  const { data } = useSuspenseQuery(listQuery(shown))
  const people = usePeople(filters.by)
  // With the state of the address, which says whether the choice of statuses has opened it.
  const change = (next: MigrationSearch) => navigate({ search: { ...filters, ...next }, replace: true, state: true })
  const isFiltered = isNarrowed(shown)
  return (
    <Screen title="Migrations" action={(data.items.length > 0 || isFiltered) && <NewMigrationLink />}>
      <ListPanel
        filters={
          (data.items.length > 0 || isFiltered) && (
            <MigrationFilters filters={filters} onChange={change}>
              <Choice
                label="Store"
                words={Object.fromEntries(stores.items.map(({ hash, label }) => [hash, label]))}
                value={filters.store}
                onChange={(store) => change({ store, cursor: undefined })}
              />
              <Choice
                label="Created by"
                words={people}
                none="Anyone"
                value={filters.by}
                onChange={(by) => change({ by, cursor: undefined })}
              />
            </MigrationFilters>
          )
        }
        problem={failed && <PartState query={failed} />}
        page={data}
        shown={shown}
        onTurn={(cursor) => navigate({ search: { ...shown, cursor } })}
        order={shown.sort ? 'name' : 'time'}
      >
        <Table
          caption={`Migrations, ${orderWords(shown.sort)} first`}
          columns={migrationColumns(shown.sort)}
          rows={data.items}
          rowKey={({ requestId }) => requestId}
          empty={isFiltered ? noMatch : <NoMigrations />}
        />
      </ListPanel>
    </Screen>
  )
}
