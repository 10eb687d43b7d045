import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { administration } from '../../data/administration.ts'
import { sentenceOf } from '../../data/errors.ts'
import {
  allAuditQuery,
  type MemberEntry,
  type OrganizationDetail,
  organizationMembersQuery,
  organizationQuery,
  type StoreEntry,
} from '../../data/queries.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Fact } from '../../ui/fact.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { EmptyNote, Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Screen } from '../../ui/screen.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { useOnce } from '../../use-once.ts'
import { useShown } from '../../use-shown.ts'
import { accessTones, accessWords, roleWords } from '../../words.ts'
import { AuditTable } from '../audit-table.tsx'
import { FindMember, isLongList, noMemberMatches } from '../find-member.tsx'
import { LinkOnce, type OneTimeLink } from '../link-once.tsx'
import { PartState } from '../part-state.tsx'
import { useOffNow } from '../use-off-now.ts'
import { credentialOf } from './access.tsx'
import { SignInState } from './administrators.tsx'
import { CredentialActions } from './credential-actions.tsx'
import { CredentialOnce, type Issued } from './credential-once.tsx'
import { AddPerson, ConnectTheirStore } from './organization-forms.tsx'
import { storeMigrationOf } from './organizations.tsx'
import { PasswordLink } from './password-link.tsx'
import { nameAndEmail } from './person-cell.tsx'

const route = getRouteApi('/admin/organizations/$id')

const noStores = <EmptyNote title="No stores yet">An owner connects them, or you do.</EmptyNote>
const noMembers = <EmptyNote title="No members">Add an owner, who connects its stores.</EmptyNote>

const storeColumns: Column<StoreEntry>[] = [
  { key: 'label', header: 'Store', narrow: 'title', cell: ({ label }) => <bdi>{label}</bdi> },
  { key: 'hash', header: 'Hash', cell: ({ hash }) => <code>{hash}</code> },
  { key: 'access', header: 'Last look', narrow: 'plain', cell: accessOf },
]

function accessOf({ access }: StoreEntry) {
  if (!access) return 'Not looked at yet'
  return (
    <>
      <Badge tone={accessTones[access.state]}>{accessWords[access.state]}</Badge>{' '}
      <small>
        <When at={access.checkedAt} />
      </small>
    </>
  )
}

const memberColumns = (onMade: Made): Column<MemberEntry>[] => [
  { key: 'name', header: 'Member', narrow: 'title', cell: nameAndEmail },
  { key: 'role', header: 'Role', cell: ({ role }) => roleWords[role] },
  { key: 'state', header: 'State', cell: ({ invited }) => <SignInState invited={invited} /> },
  {
    key: 'actions',
    header: 'Actions',
    narrow: 'plain',
    cell: (person) => <PasswordLink person={person} onMade={onMade} />,
  },
]

type Made = (link: OneTimeLink | undefined) => Promise<void>

export function OrganizationPage() {
  const { id } = route.useParams()
  const queries = useQueryClient()
  const { data: organization } = useSuspenseQuery(organizationQuery(id))
  const [isAdding, setAdding] = useState(false)
  const links = useOnce<OneTimeLink>()
  const changed = () => queries.invalidateQueries({ queryKey: ['admin'] })
  const done = async (next: OneTimeLink | undefined) => {
    if (next) links.show(next)
    await changed()
  }
  return (
    <Screen
      title={organization.name}
      mark={storeMigrationOf(organization)}
      crumbs={[{ label: 'Organizations', to: paths.organizations }]}
      lead={
        <>
          Created <When at={organization.createdAt} />.{' '}
          <Link to={paths.allMigrations} search={{ organization: id }}>
            Its migrations
          </Link>
        </>
      }
      action={
        <Button offBecause={useOffNow()} onClick={() => setAdding(true)}>
          Add person
        </Button>
      }
    >
      <LinkOnce links={links} />
      <StoreMigration organization={organization} onChanged={changed} />
      <Stores organization={organization} onChanged={changed} />
      <Members id={id} onMade={done} />
      <History id={id} />
      {isAdding && <AddPerson organization={organization} onDone={done} onClose={() => setAdding(false)} />}
    </Screen>
  )
}

interface PartProps {
  organization: OrganizationDetail
  onChanged: () => Promise<void>
}

/** Whether the organization may migrate, and the credential with which its servers log in. */
function StoreMigration({ organization, onChanged }: PartProps) {
  const credentials = useOnce<Issued>()
  const [problem, setProblem] = useState<string>()
  const offBecause = useOffNow()
  const { organisationId, storeMigrationEnabled } = organization
  async function enable() {
    setProblem(undefined)
    await administration.enable(organisationId).then(onChanged, (error: unknown) => setProblem(sentenceOf(error)))
  }
  return (
    <>
      <CredentialOnce credentials={credentials} />
      <Panel title="Store Migration">
        {storeMigrationEnabled ? (
          <>
            <p>It may use Store Migration. Its own programs need the API credential; people in the portal do not.</p>
            <dl className="facts">
              <Fact term="API credential">{credentialOf(organization)}</Fact>
            </dl>
            <CredentialActions entry={organization} credentials={credentials} onChanged={onChanged} />
          </>
        ) : (
          <>
            <p>It may not use Store Migration: its people can sign in, and see no migrations.</p>
            <Button offBecause={offBecause} onClick={enable}>
              Enable Store Migration
            </Button>
          </>
        )}
        {problem !== undefined && <Notice tone="stopped">{problem}</Notice>}
      </Panel>
    </>
  )
}

function Stores({ organization, onChanged }: PartProps) {
  const [isConnecting, setConnecting] = useState(false)
  const [connected, setConnected] = useState<{ label: string; missingScopes: string[] }>()
  return (
    <Panel
      title="Stores"
      flush
      action={
        <Button variant="secondary" offBecause={useOffNow()} onClick={() => setConnecting(true)}>
          Connect a store
        </Button>
      }
    >
      {connected && <ConnectedNote {...connected} />}
      <Table
        caption={`Stores of ${organization.name}`}
        columns={storeColumns}
        rows={organization.connected}
        rowKey={({ hash }) => hash}
        empty={noStores}
      />
      {isConnecting && (
        <ConnectTheirStore
          organization={organization}
          onDone={async (store) => {
            setConnected(store)
            await onChanged()
          }}
          onClose={() => setConnecting(false)}
        />
      )}
    </Panel>
  )
}

function ConnectedNote({ label, missingScopes }: { label: string; missingScopes: string[] }) {
  return (
    <Notice tone={missingScopes.length === 0 ? 'done' : 'review'}>
      Connected: <bdi>{label}</bdi>.{missingScopes.length > 0 && ` The token lacks ${missingScopes.join(', ')}.`}
    </Notice>
  )
}

function Members({ id, onMade }: { id: string; onMade: Made }) {
  const search = route.useSearch()
  const queryOf = (one: typeof search) => organizationMembersQuery(id, one)
  const { shown, failed } = useShown(search, queryOf)
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(queryOf(shown))
  return (
    <ListPanel
      title="Members"
      filters={
        isLongList(data, shown) && (
          <FindMember text={search.text} onChange={(text) => navigate({ search: { text }, replace: true })} />
        )
      }
      problem={failed && <PartState query={failed} />}
      page={data}
      shown={shown}
      onTurn={(next) => navigate({ search: { text: shown.text, cursor: next } })}
      order="name"
    >
      <Table
        caption="Members by email"
        columns={memberColumns(onMade)}
        rows={data.items}
        rowKey={({ userId }) => userId}
        empty={shown.text === undefined ? noMembers : noMemberMatches}
      />
    </ListPanel>
  )
}

function History({ id }: { id: string }) {
  const { data } = useSuspenseQuery(allAuditQuery({ organisation: id, limit: 5 }))
  return (
    <Panel
      title="Latest changes"
      flush
      action={
        <Link to={paths.allAudit} search={{ organization: id }}>
          All of its history
        </Link>
      }
    >
      <AuditTable rows={data.items} />
    </Panel>
  )
}
