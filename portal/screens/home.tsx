import { useQueries, useQuery, useQueryClient, useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { limits } from '../../src/contract/primitives/limits.ts'
import { whyNotStart } from '../allowed.ts'
import {
  type HistoryEntry,
  homeQueries,
  type MigrationFilters,
  type MigrationRequest,
  migrationsQuery,
  moving,
  ofOrganization,
  requestQuery,
  type StoreEntry,
} from '../data/queries.ts'
import { storesQuery } from '../data/store-queries.ts'
import { counted, wholeNumber } from '../format/number.ts'
import { paths } from '../paths.ts'
import { useAsker, useSession } from '../session.tsx'
import { EmptyNote } from '../ui/notice.tsx'
import { Panel } from '../ui/panel.tsx'
import { GivenReasons, useWhys } from '../ui/reasons.tsx'
import { Screen } from '../ui/screen.tsx'
import { Table } from '../ui/table.tsx'
import { migrationName } from '../words.ts'
import { FirstSteps } from './first-steps.tsx'
import { briefColumns, NewMigrationLink } from './migrations.tsx'
import { AccessBadge } from './stores/stores.tsx'

export function Home() {
  const { organization } = useSession()
  if (organization) return <Overview />
  return (
    <Screen title="Home">
      <Panel>
        <EmptyNote title="You are not a member of any organization">
          Ask an owner of your organization to invite you.
        </EmptyNote>
      </Panel>
    </Screen>
  )
}

function Overview() {
  const lists = useSuspenseQueries({ queries: homeQueries() }).map(({ data }) => data)
  const [review, paused, running, latest = [], deletions = []] = lists.map(({ items }) => items)
  const [hasMoreToReview, hasMorePaused, hasMoreRunning, , hasMoreDeletions] = lists.map(
    ({ nextCursor }) => nextCursor !== null,
  )
  useMoves([...(running ?? []), ...latest])
  const { data: stores } = useSuspenseQuery(storesQuery())
  const refused = stores.items.filter(({ access }) => access?.state === 'refused')
  const waiting = [...(paused ?? []), ...(review ?? [])]
  const offBecause = whyNotStart(useAsker())
  const whys = useWhys(latest.length > 0 ? [offBecause] : [])
  return (
    <GivenReasons value={whys.all}>
      <Screen title="Home" action={latest.length > 0 && <NewMigrationLink />}>
        {whys.notes}
        <div className="stack home">
          <FirstSteps stores={stores.items} latest={latest} />
          {refused.length > 0 && <Refused stores={refused} />}
          <WaitingDeletions migrations={deletions}>
            {hasMoreDeletions && (
              <More status={['paused']} filters={{ waitsFor: 'deletion' }} words="that wait before a deletion" />
            )}
          </WaitingDeletions>
          {latest.length > 0 && (
            <>
              <Group title="Needs you" rows={waiting} empty="Nothing needs review.">
                {hasMorePaused && <More status={['paused']} words="that are paused" />}
                {hasMoreToReview && <More status={['partial_completed']} words="that need review" />}
              </Group>
              <Group title="Running and waiting" rows={running ?? []} empty="Nothing is running or waiting.">
                {hasMoreRunning && <More status={moving} words="that are running or waiting" />}
              </Group>
              <Group title="Latest" rows={latest} empty="" />
              <p>
                <Link to={paths.migrations}>All migrations</Link>
              </p>
            </>
          )}
        </div>
      </Screen>
    </GivenReasons>
  )
}

/**
 * Loads all lists again when a migration has another status: it has left one of them for another, and a list in which
 * nothing is running does not load itself.
 */
function useMoves(migrations: HistoryEntry[]): void {
  const queries = useQueryClient()
  const states = migrations.map(({ requestId, status }) => `${requestId} ${status}`).join()
  const seen = useRef(states)
  useEffect(() => {
    if (seen.current !== states) queries.invalidateQueries({ queryKey: ofOrganization('migrations') })
    seen.current = states
  }, [queries, states])
}

/** Migrations paused until a person decides about a deletion. */
function WaitingDeletions({ migrations, children }: { migrations: HistoryEntry[]; children: ReactNode }) {
  const requests = useQueries({ queries: migrations.map(({ requestId }) => requestQuery(requestId)) })
  if (migrations.length === 0) return null
  return (
    <Panel title="A deletion waits" tone="stopped">
      <ul className="plain-list">
        {migrations.map(({ requestId, label, mode, destination }, at) => (
          <li key={requestId}>
            <Link to="/app/migrations/$id" params={{ id: requestId }}>
              <bdi>{migrationName(label, mode)}</bdi>
            </Link>{' '}
            is paused before deleting {itemsOf(requests[at]?.data)} from <bdi>{destination.label}</bdi>.
          </li>
        ))}
      </ul>
      {children}
    </Panel>
  )
}

function itemsOf(request: MigrationRequest | undefined): string {
  return request?.prune ? counted(request.prune.items, 'item') : 'items'
}

/** Stores that BigCommerce did not let us access when we last tried. */
function Refused({ stores }: { stores: StoreEntry[] }) {
  return (
    <Panel title="Stores that need you">
      <ul className="plain-list">
        {stores.map(({ hash, label, access }) => (
          <li key={hash}>
            <Link to={paths.store} params={{ hash }}>
              <bdi>{label}</bdi>
            </Link>{' '}
            <AccessBadge access={access} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

interface GroupProps {
  title: string
  rows: HistoryEntry[]
  empty: string
  children?: ReactNode
}

function Group({ title, rows, empty, children }: GroupProps) {
  return (
    <Panel title={title} flush>
      <Table
        caption={title}
        columns={briefColumns}
        rows={rows}
        rowKey={({ requestId }) => requestId}
        empty={<p className="quiet-line">{empty}</p>}
      />
      {children}
    </Panel>
  )
}

interface MoreProps {
  /** Any of them. */
  status: readonly HistoryEntry['status'][]
  filters?: MigrationFilters
  words: string
}

/** Of a list that is longer than it is shown: how many there are, and the way to all of them. */
function More({ status, filters = { status: [...status] }, words }: MoreProps) {
  // Loaded again when one of them moves, as far as Home displays it.
  const all = migrationsQuery({ ...filters, limit: limits.maximumPageSize })
  const { data } = useQuery({ ...all, refetchInterval: false })
  const count = data && `${data.nextCursor === null ? '' : 'more than '}${wholeNumber(data.items.length)}`
  return (
    <p className="quiet-line">
      {count !== undefined && `There are ${count} ${words}. `}
      <Link to={paths.migrations} search={{ status: status.join(',') }}>
        All {filters.waitsFor ? 'that are paused' : words}
      </Link>
    </p>
  )
}
