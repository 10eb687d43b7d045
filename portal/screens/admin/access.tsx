import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type OrganizationEntry, organizationsQuery } from '../../data/queries.ts'
import { wholeNumber } from '../../format/number.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { ClearFilters } from '../../ui/clear-filters.tsx'
import { SearchField } from '../../ui/field.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { EmptyNote } from '../../ui/notice.tsx'
import { Screen } from '../../ui/screen.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { type Once, useOnce } from '../../use-once.ts'
import { useShown } from '../../use-shown.ts'
import { PartState } from '../part-state.tsx'
import { AddOrganizations } from './add-organizations.tsx'
import { CredentialActions } from './credential-actions.tsx'
import { CredentialOnce, type Issued } from './credential-once.tsx'

const route = getRouteApi('/admin/migrations/access')

const empty = <EmptyNote title="No organization has Store Migration yet">Search one above and enable it.</EmptyNote>
const noMatch = (
  <EmptyNote title="No organization matches" action={<ClearFilters />}>
    Try another name.
  </EmptyNote>
)

type Search = Pick<Parameters<typeof organizationsQuery>[0], 'text' | 'cursor'>

const listQuery = ({ text, cursor }: Search) => organizationsQuery({ storeMigration: 'enabled', text, cursor })

export function Access() {
  const search = route.useSearch()
  const { shown, failed } = useShown(search, listQuery)
  const { text } = shown
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const credentials = useOnce<Issued>()
  const { data } = useSuspenseQuery(listQuery(shown))
  const changed = () => queries.invalidateQueries({ queryKey: ['admin'] })
  return (
    <Screen
      title="Migration Access"
      lead="Organizations allowed to use Store Migration."
      crumbs={[{ label: 'Migrations', to: paths.allMigrations }]}
    >
      <CredentialOnce credentials={credentials} />
      <AddOrganizations onEnabled={changed} />
      <ListPanel
        title="Organizations with Store Migration"
        filters={
          <SearchField
            label="Find by name"
            value={search.text ?? ''}
            onChange={(next) => navigate({ search: { text: next || undefined }, replace: true })}
          />
        }
        problem={failed && <PartState query={failed} />}
        page={data}
        shown={shown}
        onTurn={(next) => navigate({ search: { text, cursor: next } })}
        order="name"
      >
        <Table
          caption="Organizations with Store Migration, by name"
          columns={columns(credentials, changed)}
          rows={data.items}
          rowKey={({ organisationId }) => organisationId}
          empty={text ? noMatch : empty}
        />
      </ListPanel>
    </Screen>
  )
}

function columns(credentials: Once<Issued>, onChanged: () => Promise<void>): Column<OrganizationEntry>[] {
  return [
    { key: 'name', header: 'Organization', narrow: 'title', cell: nameOf },
    { key: 'stores', header: 'Stores', align: 'right', cell: ({ stores }) => wholeNumber(stores) },
    { key: 'credential', header: 'API credential', cell: credentialOf },
    {
      key: 'actions',
      header: 'Actions',
      narrow: 'plain',
      cell: (entry) => <CredentialActions entry={entry} credentials={credentials} onChanged={onChanged} />,
    },
  ]
}

function nameOf({ name, organisationId }: OrganizationEntry) {
  return (
    <>
      <Link to={paths.organization} params={{ id: organisationId }}>
        <bdi>{name}</bdi>
      </Link>
      <small>
        <Link to={paths.allAudit} search={{ organization: organisationId }} aria-label={`History of ${name}`}>
          History
        </Link>
      </small>
    </>
  )
}

export function credentialOf({ credential }: Pick<OrganizationEntry, 'credential'>) {
  if (!credential) return <Badge tone="quiet">Not issued</Badge>
  const { state, clientId, lastFour, version } = credential
  const isEnabled = state === 'enabled'
  return (
    <div className="credential">
      <Badge tone={isEnabled ? 'done' : 'quiet'}>{isEnabled ? 'Enabled' : 'Disabled'}</Badge>
      <small>
        <code>{clientId}</code>
      </small>
      <small>
        {isEnabled && `ends in ${lastFour}, `}version {version}
      </small>
    </div>
  )
}
