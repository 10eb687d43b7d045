import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { IssueGroup as Group } from '../../data/findings.ts'
import { type Issue, issuesQuery, type Migration, type MigrationRequest } from '../../data/queries.ts'
import { causeWords, messageOf, remedyOf } from '../../finding-words.ts'
import { distinctNames } from '../../format/distinct-names.ts'
import { wholeNumber } from '../../format/number.ts'
import { Pager } from '../../ui/pager.tsx'
import { When } from '../../ui/when.tsx'
import { opens } from '../../use-close-opened.ts'
import { PartState } from '../part-state.tsx'
import { IssueActions } from './issue-actions.tsx'
import { groupRemedyOf, type IssueSearch, issueFiltersOf, itemName } from './issue-shelves.ts'
import { partLabel } from './parts.ts'
import { ReopenAction } from './reopen-action.tsx'

interface Props {
  group: Group
  migration: Migration
  request: MigrationRequest
  search: IssueSearch
  isFirst: boolean
}

/** All issues with one cause: what to do about them, and what can be done to all of them at once. */
export function IssueGroup({ group, migration, request, search, isFirst }: Props) {
  const { example, total } = group
  // A single item says more than that there is one, and has what can be done to it.
  const [isOpen, setOpen] = useState(isFirst || total === 1)
  const title = useId()
  const remedy = groupRemedyOf(group)
  return (
    <section className="issue-group" aria-labelledby={title}>
      <div className="issue-group-head">
        <h2 id={title}>
          {causeWords[example.code]} <span className="issue-count">{wholeNumber(total)}</span>
        </h2>
        {remedy !== null && <p className="remedy">{remedy}</p>}
        {(search.show ?? 'review') === 'review' && total > 1 && (
          <IssueActions
            migration={migration}
            request={request}
            choice={{ severity: 'failure', code: example.code, component: search.part, text: search.text }}
            what={`${wholeNumber(total)} issues`}
            count={total}
          />
        )}
        {search.show === 'accepted' && total > 1 && (
          <ReopenAction
            migration={migration}
            choice={{ severity: 'failure', code: example.code, component: search.part, text: search.text }}
            what={`${wholeNumber(total)} issues`}
            count={total}
          />
        )}
      </div>
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          Items<span className="unseen"> of: {causeWords[example.code]}</span>
        </summary>
        {isOpen && <Rows code={example.code} shared={remedy} migration={migration} request={request} search={search} />}
      </details>
    </section>
  )
}

interface Shown extends Pick<Props, 'migration' | 'request' | 'search'> {
  /** The remedy above the list. An issue whose remedy is another one shows it. */
  shared: string | null
}

function Rows({ code, shared, migration, request, search }: Shown & { code: Issue['code'] }) {
  const [cursor, setCursor] = useState<string>()
  const found = useQuery(issuesQuery(migration.requestId, { ...issueFiltersOf(search), code, cursor }))
  const { data } = found
  if (!data) return <PartState query={found} />
  const brief = (issue: Issue) => itemName(issue, partLabel(migration, issue.component))
  const full = (issue: Issue) => `${brief(issue)}, ${partLabel(migration, issue.component)}, id ${issue.item.sourceId}`
  const nameOf = distinctNames(data.items, brief, full)
  return (
    <>
      <ul className="issue-list">
        {data.items.map((issue) => (
          <li key={issue.id} data-issue-row={issue.id}>
            <Row
              issue={issue}
              distinctName={nameOf(issue)}
              shared={shared}
              migration={migration}
              request={request}
              search={search}
            />
          </li>
        ))}
      </ul>
      <Pager next={data.nextCursor} isFirst={cursor === undefined} onTurn={setCursor} order="name" />
    </>
  )
}

interface RowProps extends Shown {
  issue: Issue
  /** What people call the item, told apart from the others in the list. */
  distinctName: string
}

function Row({ issue, distinctName, shared, migration, request, search }: RowProps) {
  const { id, requestId, item, component, reason, severity, state, attempts, lastAt } = issue
  const title = useId()
  const remedy = remedyOf(issue)
  const part = partLabel(migration, component)
  const name = itemName(issue, part)
  return (
    <article aria-labelledby={title}>
      <h3 id={title}>
        <Link to="/app/migrations/$id/issues" params={{ id: requestId }} search={{ ...search, issue: id }} {...opens}>
          <bdi>{name}</bdi>
        </Link>{' '}
        <small>
          {name !== part && part}
          {item.sku !== null && item.sku !== item.name && (
            <>
              , <bdi>{item.sku}</bdi>
            </>
          )}
        </small>
      </h3>
      <p>
        <bdi>{messageOf(issue)}</bdi>
      </p>
      {remedy !== shared && <p className="remedy">{remedy}</p>}
      {severity === 'failure' && state === 'open' && attempts > 1 && (
        <p className="hint">
          Tried {wholeNumber(attempts)} times, the last <When at={lastAt} />.
        </p>
      )}
      {reason !== null && (
        <p className="hint">
          Accepted: <bdi>{reason}</bdi>
        </p>
      )}
      {severity === 'failure' && state === 'open' && (
        <IssueActions migration={migration} request={request} choice={{ ids: [id] }} what={distinctName} count={1} />
      )}
      {severity === 'failure' && state === 'dismissed' && (
        <ReopenAction migration={migration} choice={{ ids: [id] }} what={distinctName} count={1} />
      )}
    </article>
  )
}
