import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { type MemberEntry, membersQuery } from '../../data/people-queries.ts'
import { ofOrganization, sessionQuery } from '../../data/queries.ts'
import { useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { Screen } from '../../ui/screen.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { useOnce } from '../../use-once.ts'
import { useShown } from '../../use-shown.ts'
import { roleWords } from '../../words.ts'
import { FindMember, isLongList, noMemberMatches } from '../find-member.tsx'
import { LinkOnce, type OneTimeLink } from '../link-once.tsx'
import { OwnersOnly } from '../owners-only.tsx'
import { PartState } from '../part-state.tsx'
import { useOffNow } from '../use-off-now.ts'
import { Invite } from './invite.tsx'
import { MemberActions } from './member-actions.tsx'

const route = getRouteApi('/app/members')

export function Members() {
  return (
    <OwnersOnly title="Members" list="list-members">
      <MemberList />
    </OwnersOnly>
  )
}

function MemberList() {
  const search = route.useSearch()
  const { shown, failed } = useShown(search, membersQuery)
  const { text, cursor } = shown
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const { user } = useSession()
  const { data } = useSuspenseQuery(membersQuery(shown))
  const [isInviting, setInviting] = useState(false)
  const links = useOnce<OneTimeLink>()
  async function done(next?: OneTimeLink) {
    if (next) links.show(next)
    await queries.invalidateQueries({ queryKey: ofOrganization('members') })
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  const isWhole = text === undefined && cursor === undefined && data.nextCursor === null
  const owners = data.items.filter(({ role, invited }) => role === 'owner' && !invited)
  const lastOwner = isWhole && owners.length === 1 ? owners[0]?.userId : undefined
  const actions = (member: MemberEntry) => (
    <MemberActions
      member={member}
      isSelf={member.userId === user.id}
      isLastOwner={member.userId === lastOwner}
      onDone={done}
      onRemoved={() => links.forget(member.email)}
    />
  )
  return (
    <Screen
      title="Members"
      lead="Who may see and do what in your organization."
      action={
        <Button offBecause={useOffNow()} onClick={() => setInviting(true)}>
          Invite a member
        </Button>
      }
    >
      <LinkOnce links={links} />
      <ListPanel
        filters={
          isLongList(data, shown) && (
            <FindMember text={search.text} onChange={(next) => navigate({ search: { text: next }, replace: true })} />
          )
        }
        problem={failed && <PartState query={failed} />}
        page={data}
        shown={shown}
        onTurn={(next) => navigate({ search: { text, cursor: next } })}
        order="name"
      >
        <Table
          caption="Members by email"
          columns={columns(user.id, actions)}
          rows={data.items}
          rowKey={({ userId }) => userId}
          empty={noMemberMatches}
        />
      </ListPanel>
      {isInviting && <Invite onDone={done} onClose={() => setInviting(false)} />}
    </Screen>
  )
}

function columns(ownId: string, actions: Column<MemberEntry>['cell']): Column<MemberEntry>[] {
  return [
    {
      key: 'name',
      header: 'Member',
      narrow: 'title',
      cell: (member) => (
        <>
          <bdi>
            {member.firstName} {member.lastName}
          </bdi>
          {member.userId === ownId && ' (you)'}
          <small>
            <bdi>{member.email}</bdi>
          </small>
        </>
      ),
    },
    { key: 'role', header: 'Role', cell: ({ role }) => roleWords[role] },
    { key: 'state', header: 'State', cell: stateOf },
    {
      key: 'seen',
      header: 'Last sign-in',
      cell: ({ lastSignInAt }) => (lastSignInAt === null ? 'Never' : <When at={lastSignInAt} />),
    },
    { key: 'actions', header: 'Actions', narrow: 'plain', cell: actions },
  ]
}

function stateOf({ invited, invitationExpiresAt }: MemberEntry) {
  if (!invited) return <Badge tone="done">Active</Badge>
  if (invitationExpiresAt === null || new Date(invitationExpiresAt) < new Date())
    return <Badge tone="review">Invitation ended</Badge>
  return (
    <Badge tone="quiet">
      Invited until&nbsp;
      <When at={invitationExpiresAt} />
    </Badge>
  )
}
