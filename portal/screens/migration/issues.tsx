import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { whyNotAccept } from '../../allowed.ts'
import { Confirm } from '../../confirm.tsx'
import { acceptIssue } from '../../data/migration-actions.ts'
import { type Issue, issuesKey, issuesQuery, type Migration, migrationQuery } from '../../data/queries.ts'
import { counted } from '../../format/number.ts'
import { useAsker } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../../ui/field.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { EmptyNote } from '../../ui/notice.tsx'
import { When } from '../../ui/when.tsx'
import { type IssueShelf, issueFiltersOf, issueShelves, shelfWords } from './issue-shelves.ts'

const route = getRouteApi('/app/migrations/$id/issues')

const nothing: Record<IssueShelf, string> = {
  review: 'Nothing needs review',
  known: 'Nothing else to know',
  solved: 'Nothing had to be tried again',
  accepted: 'Nothing was accepted as it is',
}

export function Issues() {
  const { id } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data: migration } = useSuspenseQuery(migrationQuery(id))
  const { data } = useSuspenseQuery(issuesQuery(id, issueFiltersOf(search)))
  const { show = 'review', text, cursor } = search
  return (
    <>
      <nav className="shelves" aria-label="Issues by what to do">
        {issueShelves.map((shelf) => (
          <Link
            key={shelf}
            to="/app/migrations/$id/issues"
            params={{ id }}
            search={{ show: shelf }}
            activeOptions={{ exact: true, includeSearch: true }}
            aria-current={shelf === show ? 'page' : undefined}
          >
            {shelfWords[shelf]}
          </Link>
        ))}
      </nav>
      <ListPanel
        filters={
          <SearchField
            label="Name, SKU, id or message"
            value={text ?? ''}
            onChange={(next) => navigate({ search: { show, text: next || undefined }, replace: true })}
          />
        }
        nextCursor={data.nextCursor}
        cursor={cursor}
        onTurn={(next) => navigate({ search: { show, text, cursor: next } })}
      >
        {data.items.length === 0 ? (
          <EmptyNote title={text ? 'Nothing matches' : nothing[show]} />
        ) : (
          <ul className="issue-list">
            {data.items.map((issue) => (
              <li key={issue.id}>
                <IssueCard issue={issue} migration={migration} />
              </li>
            ))}
          </ul>
        )}
      </ListPanel>
    </>
  )
}

export function partLabel({ phases }: Migration, key: string): string {
  return phases.flatMap(({ components }) => components).find((component) => component.key === key)?.label ?? key
}

/** What happened, what to do, and what BigCommerce said. */
function IssueCard({ issue, migration }: { issue: Issue; migration: Migration }) {
  const { item, component, message, remedy, attempts, lastAt } = issue
  const title = useId()
  return (
    <article aria-labelledby={title}>
      <h2 id={title}>
        <bdi>{nameOf(item)}</bdi> <small>{partLabel(migration, component)}</small>
      </h2>
      <p>
        <bdi>{message}</bdi>
      </p>
      <p className="remedy">{remedy}</p>
      <p className="hint">
        {counted(attempts, 'attempt')}, last <When at={lastAt} />
      </p>
      {issue.platform && <Answer platform={issue.platform} />}
      {issue.severity === 'failure' && issue.state === 'open' && <Accept issue={issue} />}
    </article>
  )
}

function nameOf({ name, sku, sourceId }: Issue['item']): string {
  return name ?? sku ?? `Id ${sourceId}`
}

function Answer({ platform: { method, path, status, title, errors } }: { platform: NonNullable<Issue['platform']> }) {
  return (
    <details className="more">
      <summary>What BigCommerce said</summary>
      <p>
        <code>
          {method} {path}
        </code>{' '}
        {status === 0 ? 'gave no answer.' : `answered ${status}.`} <bdi>{title}</bdi>
      </p>
      <ul className="finding-list">
        {Object.entries(errors).map(([field, words]) => (
          <li key={field}>
            <code>{field}</code> <bdi>{words}</bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}

function Accept({ issue: { id: issueId, requestId, item } }: { issue: Issue }) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const reason = useId()
  const offBecause = whyNotAccept(useAsker())
  const name = nameOf(item)
  const accept = async () => {
    await acceptIssue(requestId, issueId)
    await Promise.all([
      queries.invalidateQueries({ queryKey: issuesKey(requestId) }),
      queries.invalidateQueries({ queryKey: migrationQuery(requestId).queryKey }),
    ])
  }
  return (
    <div className="row-actions">
      <Button
        variant="secondary"
        name={`Accept as is: ${name}`}
        offBecause={offBecause && reason}
        onClick={() => setOpen(true)}
      >
        Accept as is
      </Button>
      {offBecause !== undefined && (
        <p id={reason} className="why">
          {offBecause}
        </p>
      )}
      {isOpen && (
        <Confirm
          title={`Accept ${name} as it is?`}
          confirm="Accept as is"
          keep="Not now"
          onConfirm={accept}
          onClose={() => setOpen(false)}
        >
          <p>It counts as settled. Neither store is changed.</p>
        </Confirm>
      )}
    </div>
  )
}
