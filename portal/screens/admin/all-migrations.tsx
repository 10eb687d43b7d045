import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type AdministeredMigration, allMigrationsQuery } from '../../data/queries.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { EmptyNote } from '../../ui/notice.tsx'
import { Screen } from '../../ui/screen.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useShown } from '../../use-shown.ts'
import { migrationName, modeWords } from '../../words.ts'
import type { MigrationSearch } from '../migration-search.ts'
import { migrationFiltersOf } from '../migration-search.ts'
import { columnsAfterName, isNarrowed, MigrationFilters, noMatch, orderWords } from '../migrations.tsx'
import { PartState } from '../part-state.tsx'

const route = getRouteApi('/admin/migrations')

const none = (
  <EmptyNote title="No migrations yet" action={<Link to={paths.organizations}>Organizations</Link>}>
    Organizations with Store Migration start them. Create one, and enable Store Migration on its page.
  </EmptyNote>
)

const columns = (sort: MigrationSearch['sort']): Column<AdministeredMigration>[] => [
  { key: 'label', header: 'Migration', narrow: 'title', cell: nameOf },
  ...columnsAfterName<AdministeredMigration>(({ mode }) => modeWords[mode], sort),
]

function nameOf({ requestId, label, mode, summaryLine, organisation: { id, name } }: AdministeredMigration) {
  return (
    <>
      <Link to={paths.anyMigration} params={{ id: requestId }}>
        <bdi>{migrationName(label, mode)}</bdi>
      </Link>
      <small>
        of{' '}
        <Link to={paths.organization} params={{ id }}>
          <bdi>{name}</bdi>
        </Link>
      </small>
      <small>
        <bdi>{summaryLine}</bdi>
      </small>
    </>
  )
}

function listQuery(filters: MigrationSearch & { organization?: string | undefined }) {
  const { organization, ...asked } = migrationFiltersOf(filters)
  return allMigrationsQuery({ ...asked, organisation: organization })
}

export function AllMigrations() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const { shown, failed } = useShown(filters, listQuery)
  const { organization } = shown
  const { data } = useSuspenseQuery(listQuery(shown))
  const show = (search: typeof filters) => navigate({ search, replace: true, state: true })
  return (
    <Screen
      title="Migrations"
      lead="Of all organizations. Looks at other organizations' migrations are recorded."
      action={<ButtonLink to={paths.access}>Access</ButtonLink>}
    >
      <ListPanel
        filters={
          <>
            <MigrationFilters filters={filters} onChange={(next) => show({ ...filters, ...next })} />
            {organization && (
              <p className="filter-note">
                Only <bdi>{data.items[0]?.organisation.name ?? 'one organization'}</bdi>.{' '}
                <Link to={paths.allMigrations}>Show all</Link>
              </p>
            )}
          </>
        }
        problem={failed && <PartState query={failed} />}
        page={data}
        shown={shown}
        onTurn={(cursor) => navigate({ search: { ...shown, cursor } })}
        order={shown.sort ? 'name' : 'time'}
      >
        <Table
          caption={`Migrations of all organizations, ${orderWords(shown.sort)} first`}
          columns={columns(shown.sort)}
          rows={data.items}
          rowKey={({ requestId }) => requestId}
          empty={isNarrowed(shown) ? noMatch : none}
        />
      </ListPanel>
    </Screen>
  )
}
