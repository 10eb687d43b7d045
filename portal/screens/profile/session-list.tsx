import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Confirm } from '../../confirm.tsx'
import { ownActions } from '../../data/people-actions.ts'
import { ownKey, type SessionEntry, sessionsQuery } from '../../data/people-queries.ts'
import { browserName } from '../../format/browser.ts'
import { distinctNames } from '../../format/distinct-names.ts'
import { exactTime } from '../../format/time.ts'
import { paths, serverPages } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { When } from '../../ui/when.tsx'
import { useShown } from '../../use-shown.ts'
import { PartState } from '../part-state.tsx'
import { useOffNow } from '../use-off-now.ts'

const route = getRouteApi('/app/profile')

/** One session, or all of them. */
type Ending = SessionEntry | 'all'

export function SessionList() {
  const { shown: cursor, failed } = useShown(route.useSearch().cursor, sessionsQuery)
  const navigate = route.useNavigate()
  const offBecause = useOffNow()
  const { data } = useSuspenseQuery(sessionsQuery(cursor))
  const [ending, setEnding] = useState<Ending>()
  const nameOf = distinctNames(
    data.items,
    briefName,
    (session) => `${briefName(session)}, since ${exactTime(new Date(session.startedAt))}`,
  )
  return (
    <>
      <ListPanel
        title="Where you are signed in"
        problem={failed && <PartState query={failed} />}
        page={data}
        shown={{ cursor }}
        onTurn={(next) => navigate({ search: (search) => ({ ...search, cursor: next }) })}
      >
        <Table
          caption="Your sessions, newest first"
          columns={columns(nameOf, setEnding, offBecause)}
          rows={data.items}
          rowKey={({ id }) => id}
          empty={null}
        />
        <div className="panel-foot">
          <Button variant="secondary" actionType="destructive" offBecause={offBecause} onClick={() => setEnding('all')}>
            Sign out everywhere
          </Button>
        </div>
      </ListPanel>
      {ending === 'all' && <EndAll onClose={() => setEnding(undefined)} />}
      {ending !== undefined && ending !== 'all' && (
        <EndOne session={ending} name={nameOf(ending)} onClose={() => setEnding(undefined)} />
      )}
    </>
  )
}

function briefName({ agent, current }: SessionEntry): string {
  return `${browserName(agent)}${current ? ', this one' : ''}`
}

function columns(
  nameOf: (session: SessionEntry) => string,
  onEnd: (session: SessionEntry) => void,
  offBecause: string | undefined,
): Column<SessionEntry>[] {
  return [
    {
      key: 'browser',
      header: 'Browser',
      narrow: 'title',
      cell: ({ agent, address, current }) => (
        <>
          {browserName(agent)}
          {current && ' (this one)'}
          {address !== null && <small>from {address}</small>}
        </>
      ),
    },
    { key: 'since', header: 'Since', cell: ({ startedAt }) => <When at={startedAt} /> },
    { key: 'seen', header: 'Last seen', cell: ({ lastSeenAt }) => <When at={lastSeenAt} /> },
    {
      key: 'actions',
      header: 'Actions',
      narrow: 'plain',
      cell: (session) => (
        <Button
          variant="secondary"
          name={`Sign out: ${nameOf(session)}`}
          offBecause={offBecause}
          onClick={() => onEnd(session)}
        >
          Sign out
        </Button>
      ),
    },
  ]
}

function toSignIn(): void {
  location.assign(serverPages.signIn(paths.profile))
}

function EndOne(props: { session: SessionEntry; name: string; onClose: () => void }) {
  const { name, onClose } = props
  const { id, current } = props.session
  const queries = useQueryClient()
  const end = async () => {
    await ownActions.endSession(id)
    if (current) return toSignIn()
    await queries.invalidateQueries({ queryKey: ownKey })
  }
  const title = current ? 'Sign out of this browser?' : `Sign out ${name}?`
  return (
    <Confirm title={title} confirm="Sign out" keep="Cancel" onConfirm={end} onClose={onClose}>
      <p>It has to sign in again. Migrations, API tokens and assistants go on.</p>
    </Confirm>
  )
}

function EndAll({ onClose }: { onClose: () => void }) {
  const end = async () => {
    await ownActions.endAllSessions()
    toSignIn()
  }
  return (
    <Confirm
      title="Sign out everywhere?"
      confirm="Sign out everywhere"
      keep="Cancel"
      destructive
      onConfirm={end}
      onClose={onClose}
    >
      <p>
        Every browser, this one too, has to sign in again. API tokens and assistants go on; change your password to end
        them as well.
      </p>
    </Confirm>
  )
}
