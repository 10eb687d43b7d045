import { type UseQueryResult, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { isLive } from '../../../src/contract/status.ts'
import {
  type DifferenceCounts,
  deletionCountsQuery,
  differenceCountsQuery,
  timelineQuery,
} from '../../data/findings.ts'
import {
  differencesQuery,
  type Issue,
  issuesQuery,
  type Migration,
  type MigrationRequest,
  migrationQuery,
  requestQuery,
} from '../../data/queries.ts'
import { isEnd, messageOf, remedyOf } from '../../finding-words.ts'
import { fieldName } from '../../format/field-name.ts'
import { counted, wholeNumber } from '../../format/number.ts'
import { exactTime } from '../../format/time.ts'
import { paths } from '../../paths.ts'
import { Amount } from '../../ui/amount.tsx'
import { Button } from '../../ui/button.tsx'
import { Fact } from '../../ui/fact.tsx'
import { EmptyNote } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Screen } from '../../ui/screen.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { counterWords, migrationName, statusWord } from '../../words.ts'
import { storesOf } from '../migrations.tsx'
import { PartState } from '../part-state.tsx'
import { toRepair } from './difference-filters.ts'
import { itemName } from './issue-shelves.ts'
import { nameOr } from './item-cell.tsx'
import { partLabel } from './parts.ts'
import { Choices } from './settings.tsx'
import { SignatureLines, SignOffs } from './signatures.tsx'
import { verdictOf } from './verdict.ts'

const route = getRouteApi('/app/migrations/$id/report')

/** The most lines of a list. If there are more, the report says so. */
const mostShown = 200

type Phase = Migration['phases'][number]

/** Everything about a copy on paper: what was done, whether it is right, and who says so. */
export function Report() {
  const { id } = route.useParams()
  const { data: migration } = useSuspenseQuery(migrationQuery(id))
  const { data: request } = useSuspenseQuery(requestQuery(id))
  const title = migrationName(request.label, migration.mode)
  const crumbs = [
    { label: 'Migrations', to: paths.migrations },
    { label: title, to: `${paths.migrations}/${id}` },
  ]
  if (migration.mode !== 'full' || isLive(migration.status))
    return (
      <Screen title={`Report: ${title}`} crumbs={crumbs}>
        <Panel>
          <EmptyNote title="There is no report yet">A copy has one when it has ended.</EmptyNote>
        </Panel>
      </Screen>
    )
  return (
    <Screen
      title={`Report: ${title}`}
      crumbs={crumbs}
      lead={storesOf(migration)}
      action={<Button onClick={() => window.print()}>Print or save as PDF</Button>}
    >
      <div className="stack report">
        <SignOffs id={id} comparison={request.comparison} />
        <About migration={migration} request={request} />
        <Comparison migration={migration} request={request} />
        <ByKind migration={migration} />
        <Accepted migration={migration} />
        <NotCopied migration={migration} />
        <Deletions id={id} />
        <Panel title="Choices">
          <Choices migration={migration} request={request} />
        </Panel>
        <SignatureLines />
      </div>
    </Screen>
  )
}

function About({ migration, request }: { migration: Migration; request: MigrationRequest }) {
  const { requestId, status, mode, source, destination, timestamps, summaryLine } = migration
  const { data: timeline } = useSuspenseQuery(timelineQuery(requestId))
  // The migration changes later, too, when the last of what it left is accepted.
  const ended = timeline.events.findLast(({ event }) => isEnd(event))?.at ?? timestamps.updated
  const rows: [string, string][] = [
    ['Result', statusWord(status, mode)],
    ['Copied from', `${source.label} (${source.hash})`],
    ['Copied to', `${destination.label} (${destination.hash})`],
    ['Created', exactTime(new Date(timestamps.created))],
    ['Ended', exactTime(new Date(ended))],
    ['By', request.createdBy?.name ?? '–'],
    ['Id', requestId],
  ]
  return (
    <Panel title="What was done">
      <p className="summary">
        <bdi>{summaryLine}</bdi>
      </p>
      <dl className="facts">
        {rows.map(([term, value]) => (
          <Fact key={term} term={term}>
            <bdi>{value}</bdi>
          </Fact>
        ))}
      </dl>
    </Panel>
  )
}

function ByKind({ migration: { phases, mode } }: { migration: Migration }) {
  const words = counterWords[mode]
  const number = (key: string, header: string, of: (phase: Phase) => number): Column<Phase> => ({
    key,
    header,
    align: 'right',
    cell: (phase) => <Amount value={of(phase)} />,
  })
  const columns: Column<Phase>[] = [
    { key: 'label', header: 'Kind', narrow: 'title', cell: ({ label }) => label },
    number('created', words.copied, ({ created }) => created),
    number('updated', words.updated, ({ updated }) => updated),
    number('matched', words.matched, ({ matched }) => matched),
    number('skipped', words.skipped, ({ skipped }) => skipped),
    number('pruned', words.deleted, ({ pruned }) => pruned),
    number('failed', 'failed', ({ failed }) => failed),
  ]
  const busy = phases.filter(
    ({ total, created, updated, matched, skipped, pruned, failed }) =>
      total + created + updated + matched + skipped + pruned + failed > 0,
  )
  return (
    <Panel title="By kind" flush>
      <Table
        caption="Items by kind"
        columns={columns}
        rows={busy}
        rowKey={({ key }) => key}
        empty={<p className="quiet-line">There was nothing to copy.</p>}
      />
      <p className="quiet-line">Pictures, options and other parts count like whole items.</p>
    </Panel>
  )
}

function Comparison({ migration, request }: { migration: Migration; request: MigrationRequest }) {
  const { comparison } = request
  if (comparison === null)
    return (
      <Panel title="Is the copy right?">
        <p>Not compared yet.</p>
      </Panel>
    )
  return (
    <Panel title="Is the copy right?">
      <Compared id={comparison.requestId} migration={migration} />
      {!comparison.isCurrent && <p>The copy went on after this comparison.</p>}
    </Panel>
  )
}

function Compared({ id, migration }: { id: string; migration: Migration }) {
  const numbers = useQuery(differenceCountsQuery(id))
  const found = useQuery(differencesQuery(id, { living: 'without', limit: mostShown }))
  const { data: counts } = numbers
  const { data: list } = found
  if (!counts) return <PartState query={numbers} />
  if (!list) return <PartState query={found} />
  return (
    <>
      <p>
        <strong>{verdictOf(counts).sentence}</strong>
      </p>
      {list.items.length > 0 && (
        <ul className="report-list">
          {list.items.map(({ id: each, item, component, destinationId, kind, fields, state }) => (
            <li key={each}>
              <bdi>{nameOr(component, item, item.sourceId ?? destinationId)}</bdi>, {partLabel(migration, component)}:{' '}
              {kindWords[kind]}
              {fields.length > 0 && ` (${fields.map(({ path }) => fieldName(path)).join(', ')})`}
              {state === 'dismissed' && ', accepted as it is'}
            </li>
          ))}
        </ul>
      )}
      {list.nextCursor !== null && (
        <p>These are the first {mostShown}. All of them are in the file of the comparison.</p>
      )}
      <p className="screen-only">
        <Link to="/app/migrations/$id/differences" params={{ id }} search={toRepair}>
          Open the comparison
        </Link>
      </p>
    </>
  )
}

const kindWords: Record<DifferenceCounts['counts'][number]['kind'], string> = {
  missing: 'missing',
  different: 'different',
  extra: 'only in the destination',
}

function Accepted({ migration }: { migration: Migration }) {
  const { requestId: id } = migration
  const found = useQuery(issuesQuery(id, { severity: 'failure', state: 'dismissed', limit: mostShown }))
  return (
    <Panel title="Accepted as it is">
      <IssueLines
        migration={migration}
        found={found}
        none="Nothing was accepted as it is."
        lineOf={(issue) => (
          <>
            <bdi>{messageOf(issue)}</bdi>{' '}
            {issue.reason === null ? 'No reason was given.' : <bdi>Reason: {issue.reason}</bdi>}
          </>
        )}
      />
    </Panel>
  )
}

/** What to do in the control panel, each with a box to tick by hand. */
function NotCopied({ migration }: { migration: Migration }) {
  const { requestId: id } = migration
  const found = useQuery(issuesQuery(id, { severity: 'warning', code: 'not_copied', limit: mostShown }))
  return (
    <Panel title="Not copied, and what to do instead">
      <IssueLines
        migration={migration}
        found={found}
        none="There was nothing that cannot be copied."
        isTicked
        lineOf={(issue) => (
          <>
            <bdi>{messageOf(issue)}</bdi> {remedyOf(issue)}
          </>
        )}
      />
    </Panel>
  )
}

interface LinesProps {
  migration: Migration
  found: UseQueryResult<{ items: Issue[]; nextCursor: string | null }>
  none: string
  isTicked?: boolean
  lineOf: (issue: Issue) => React.ReactNode
}

function IssueLines({ migration, found, none, isTicked = false, lineOf }: LinesProps) {
  const { data } = found
  if (!data) return <PartState query={found} />
  if (data.items.length === 0) return <p>{none}</p>
  return (
    <>
      <ul className={isTicked ? 'report-list ticked' : 'report-list'}>
        {data.items.map((issue) => (
          <li key={issue.id}>
            {isTicked && <span className="tick-box" aria-hidden="true" />}{' '}
            <strong>
              <bdi>{itemName(issue, partLabel(migration, issue.component))}</bdi>.
            </strong>{' '}
            {lineOf(issue)}
          </li>
        ))}
      </ul>
      {data.nextCursor !== null && <p>These are the first {mostShown}. All of them are in the file of the issues.</p>}
    </>
  )
}

function Deletions({ id }: { id: string }) {
  const counts = useQuery(deletionCountsQuery(id))
  const parts = counts.data?.parts.filter(({ deleted, kept }) => deleted + kept > 0)
  return (
    <Panel title="Deleted from the destination">
      {parts === undefined ? (
        <PartState query={counts} />
      ) : parts.length === 0 ? (
        <p>Nothing was deleted.</p>
      ) : (
        <ul className="report-list">
          {parts.map(({ component, label, deleted, kept }) => (
            <li key={component}>
              {label}: {counted(deleted, 'item')} deleted{kept > 0 && `, ${wholeNumber(kept)} kept`}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
