import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type AdministeredMigration, allMigrationsQuery } from '../../data/queries.ts'
import { wholeNumber } from '../../format/number.ts'
import { paths } from '../../paths.ts'
import { StatusBadge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Choice, SearchField } from '../../ui/field.tsx'
import { EmptyNote } from '../../ui/notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Screen } from '../../ui/screen.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { modeWords, statusWords } from '../../words.ts'
import { storesOf } from '../migrations.tsx'

const route = getRouteApi('/admin/migrations')

const none = <EmptyNote title="No migrations yet">Organizations with Store Migration start them.</EmptyNote>
const noMatch = (
  <EmptyNote title="No migration matches" action={<Link to={paths.allMigrations}>Clear filters</Link>}>
    Try other words.
  </EmptyNote>
)

const columns: Column<AdministeredMigration>[] = [
  { key: 'label', header: 'Migration', narrow: 'title', cell: nameOf },
  { key: 'organization', header: 'Organization', cell: ({ organisation }) => <bdi>{organisation.name}</bdi> },
  { key: 'stores', header: 'From and to', narrow: 'plain', cell: storesOf },
  { key: 'mode', header: 'What', cell: ({ mode }) => modeWords[mode] },
  { key: 'status', header: 'Status', cell: ({ status, mode }) => <StatusBadge status={status} mode={mode} /> },
  {
    key: 'review',
    header: 'Needs review',
    align: 'right',
    cell: ({ failuresOpen }) => (failuresOpen > 0 ? wholeNumber(failuresOpen) : '–'),
  },
  { key: 'created', header: 'Created', cell: ({ timestamps }) => <When at={timestamps.created} /> },
]

function nameOf({ label, summaryLine }: AdministeredMigration) {
  return (
    <>
      <bdi>{label ?? 'Unnamed migration'}</bdi>
      <small>
        <bdi>{summaryLine}</bdi>
      </small>
    </>
  )
}

export function AllMigrations() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(allMigrationsQuery(filters))
  const show = (search: typeof filters) => navigate({ search, replace: true })
  return (
    <Screen
      title="Migrations"
      lead="Of all organizations. Looks at other organizations' migrations are recorded."
      action={<ButtonLink to={paths.access}>Access</ButtonLink>}
    >
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
        </search>
        <Table
          caption="Migrations of all organizations, newest first"
          columns={columns}
          rows={data.items}
          rowKey={({ requestId }) => requestId}
          empty={Object.values(filters).some(Boolean) ? noMatch : none}
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
