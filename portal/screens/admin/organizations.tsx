import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type OrganizationEntry, organizationsQuery } from '../../data/queries.ts'
import { wholeNumber } from '../../format/number.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ClearFilters } from '../../ui/clear-filters.tsx'
import { SearchField } from '../../ui/field.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { EmptyNote } from '../../ui/notice.tsx'
import { Screen } from '../../ui/screen.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { useOnce } from '../../use-once.ts'
import { useShown } from '../../use-shown.ts'
import { LinkOnce, type OneTimeLink } from '../link-once.tsx'
import { PartState } from '../part-state.tsx'
import { useOffNow } from '../use-off-now.ts'
import { credentialOf } from './access.tsx'
import { AddPerson, CreateOrganization } from './organization-forms.tsx'

const route = getRouteApi('/admin/organizations')

const none = <EmptyNote title="Create your first organization">It gets an owner, who connects its stores.</EmptyNote>
const noMatch = (
  <EmptyNote title="No organization matches" action={<ClearFilters />}>
    Try another name.
  </EmptyNote>
)

export function Organizations() {
  const search = route.useSearch()
  const { shown, failed } = useShown(search, organizationsQuery)
  const { text } = shown
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const { data } = useSuspenseQuery(organizationsQuery(shown))
  const [isCreating, setCreating] = useState(false)
  const [addingTo, setAddingTo] = useState<OrganizationEntry>()
  const links = useOnce<OneTimeLink>()
  const offBecause = useOffNow()
  const done = async (next: OneTimeLink | undefined) => {
    if (next) links.show(next)
    await queries.invalidateQueries({ queryKey: ['admin'] })
  }
  return (
    <Screen
      title="Organizations"
      action={
        <Button offBecause={offBecause} onClick={() => setCreating(true)}>
          Create organization
        </Button>
      }
    >
      <LinkOnce links={links} />
      <ListPanel
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
          caption="Organizations by name"
          columns={columns(setAddingTo, offBecause)}
          rows={data.items}
          rowKey={({ organisationId }) => organisationId}
          empty={text ? noMatch : none}
        />
      </ListPanel>
      {isCreating && <CreateOrganization onDone={done} onClose={() => setCreating(false)} />}
      {addingTo && <AddPerson organization={addingTo} onDone={done} onClose={() => setAddingTo(undefined)} />}
    </Screen>
  )
}

function columns(
  onAdd: (entry: OrganizationEntry) => void,
  offBecause: string | undefined,
): Column<OrganizationEntry>[] {
  return [
    { key: 'name', header: 'Organization', narrow: 'title', cell: nameOf },
    { key: 'stores', header: 'Stores', align: 'right', cell: ({ stores }) => wholeNumber(stores) },
    { key: 'migration', header: 'Store Migration', cell: storeMigrationOf },
    { key: 'credential', header: 'API credential', cell: credentialOf },
    { key: 'created', header: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
    {
      key: 'actions',
      header: 'Actions',
      narrow: 'plain',
      cell: (entry) => (
        <div className="row-actions">
          <Button
            variant="secondary"
            name={`Add person: ${entry.name}`}
            offBecause={offBecause}
            onClick={() => onAdd(entry)}
          >
            Add person
          </Button>
          <Link
            className="row-link"
            to={paths.allAudit}
            search={{ organization: entry.organisationId }}
            aria-label={`History of ${entry.name}`}
          >
            History
          </Link>
        </div>
      ),
    },
  ]
}

function nameOf({ name, organisationId }: OrganizationEntry) {
  return (
    <Link to={paths.organization} params={{ id: organisationId }}>
      <bdi>{name}</bdi>
    </Link>
  )
}

export function storeMigrationOf({ storeMigrationEnabled }: Pick<OrganizationEntry, 'storeMigrationEnabled'>) {
  return <Badge tone={storeMigrationEnabled ? 'done' : 'quiet'}>{storeMigrationEnabled ? 'Enabled' : 'Off'}</Badge>
}
