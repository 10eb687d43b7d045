import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdministratorEntry, administratorsQuery } from '../../data/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Screen } from '../../ui/screen.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { useOnce } from '../../use-once.ts'
import { LinkOnce, type OneTimeLink } from '../link-once.tsx'
import { useOffNow } from '../use-off-now.ts'
import { AddAdministrator } from './organization-forms.tsx'
import { PasswordLink } from './password-link.tsx'
import { nameAndEmail } from './person-cell.tsx'

const columns = (onMade: (link: OneTimeLink | undefined) => Promise<void>): Column<AdministratorEntry>[] => [
  { key: 'name', header: 'Administrator', narrow: 'title', cell: nameAndEmail },
  { key: 'state', header: 'State', cell: ({ invited }) => <SignInState invited={invited} /> },
  { key: 'created', header: 'Added', cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    key: 'actions',
    header: 'Actions',
    narrow: 'plain',
    cell: (person) => <PasswordLink person={person} onMade={onMade} />,
  },
]

export function SignInState({ invited }: { invited: boolean }) {
  return <Badge tone={invited ? 'quiet' : 'done'}>{invited ? 'Invited' : 'Active'}</Badge>
}

export function Administrators() {
  const queries = useQueryClient()
  const { data } = useSuspenseQuery(administratorsQuery())
  const [isAdding, setAdding] = useState(false)
  const links = useOnce<OneTimeLink>()
  const done = async (next: OneTimeLink | undefined) => {
    if (next) links.show(next)
    await queries.invalidateQueries({ queryKey: administratorsQuery().queryKey })
  }
  return (
    <Screen
      title="Administrators"
      lead="The people who run this service."
      action={
        <Button offBecause={useOffNow()} onClick={() => setAdding(true)}>
          Add administrator
        </Button>
      }
    >
      <LinkOnce links={links} />
      <Panel flush>
        <Table
          caption="Administrators by email"
          columns={columns(done)}
          rows={data.items}
          rowKey={({ userId }) => userId}
          empty={null}
        />
      </Panel>
      {isAdding && <AddAdministrator onDone={done} onClose={() => setAdding(false)} />}
    </Screen>
  )
}
