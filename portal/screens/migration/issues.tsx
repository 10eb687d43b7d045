import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { whyNotAccept, whyNotReopen } from '../../allowed.ts'
import { type IssueGroup as Group, issueGroupsQuery } from '../../data/findings.ts'
import { type Migration, migrationQuery, requestQuery } from '../../data/queries.ts'
import { DownloadButton } from '../../download-button.tsx'
import { useAsker } from '../../session.tsx'
import { NothingHere } from '../../ui/clear-filters.tsx'
import { Choice, SearchField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SayOnce } from '../../ui/reasons.tsx'
import { Results } from '../../ui/results.tsx'
import { useCloseOpened } from '../../use-close-opened.ts'
import { useShown } from '../../use-shown.ts'
import { PartState } from '../part-state.tsx'
import { causeChoices, withKnownCause } from './issue-causes.ts'
import { IssueDrawer } from './issue-drawer.tsx'
import { IssueGroup } from './issue-group.tsx'
import {
  type IssueSearch,
  type IssueShelf,
  issueFiltersOf,
  issueQueriesOf,
  issueShelves,
  shelfTotals,
  shelfWords,
  totalsOf,
} from './issue-shelves.ts'
import { partWords } from './parts.ts'
import { Shelves } from './shelves.tsx'
import { useIssueKeys } from './use-issue-keys.ts'

const route = getRouteApi('/app/migrations/$id/issues')

const nothing: Record<IssueShelf, string> = {
  review: 'Nothing needs review',
  known: 'Nothing else to know',
  solved: 'Nothing had to be tried again',
  accepted: 'Nothing was accepted as it is',
}

/** What a migration could not do, by cause, with one instruction for all items with the same cause. */
export function Issues() {
  const { id } = route.useParams()
  const search = withKnownCause(route.useSearch())
  const navigate = route.useNavigate()
  const { data: migration } = useSuspenseQuery(migrationQuery(id))
  const { data: request } = useSuspenseQuery(requestQuery(id))
  const queryOf = (one: typeof search) => issueGroupsQuery(id, issueQueriesOf.causes(one))
  const { shown, failed } = useShown(search, queryOf)
  const { show: shelf = 'review' } = shown
  const { data } = useSuspenseQuery(queryOf(shown))
  const groups = data.groups.filter(({ key }) => shown.cause === undefined || key === shown.cause)
  const totals = useShelfTotals(id, search)
  const asker = useAsker()
  const reasons: Partial<Record<IssueShelf, (string | undefined)[]>> = {
    // The page says why nothing can be tried again.
    review: [whyNotAccept(asker)],
    accepted: [whyNotReopen(asker, migration.status)],
  }
  const list = useRef<HTMLDivElement>(null)
  const { show = 'review', part, cause, text, issue } = search
  const filters = { part, cause, text }
  const change = (next: Partial<IssueSearch>) => navigate({ search: { show, ...filters, ...next }, replace: true })
  const close = useCloseOpened(() => change({}))
  useIssueKeys(list, issue, (next) =>
    navigate({ search: { ...search, issue: next }, replace: true, state: true, resetScroll: false }),
  )
  return (
    <div ref={list}>
      <Shelves
        label="Issues by what to do"
        shelves={issueShelves.map((shelf) => ({
          key: shelf,
          words: shelfWords[shelf],
          isOpen: shelf === show,
          count: totals[shelf],
          isReview: shelf === 'review',
          link: { to: '/app/migrations/$id/issues', params: { id }, search: { show: shelf, ...filters } },
        }))}
      />
      <Panel flush>
        <Filters migration={migration} search={search} ofAnyCause={data.groups} onChange={change} />
        <Results shown={{ ...shown, issue: undefined }} count={groups.reduce((sum, { total }) => sum + total, 0)} />
        {failed ? (
          <PartState query={failed} />
        ) : groups.length === 0 ? (
          <NothingHere
            isFiltered={Boolean(shown.text || shown.part || shown.cause)}
            none={nothing[shelf]}
            keep={{ show: shelf }}
          />
        ) : (
          <SayOnce reasons={reasons[shelf] ?? []}>
            {groups.map((group) => (
              <IssueGroup
                // The key changes with the list and the search, so that other groups are closed at first.
                key={`${group.key} ${shelf} ${shown.part} ${shown.cause} ${shown.text}`}
                group={group}
                migration={migration}
                request={request}
                search={shown}
                isFirst={group === groups[0]}
              />
            ))}
            <p className="quiet-line keys-hint">
              Keys: <kbd>j</kbd> next, <kbd>k</kbd> previous
              {shelf === 'review' && (
                <>
                  , <kbd>a</kbd> accept, <kbd>r</kbd> try again
                </>
              )}
              .
            </p>
          </SayOnce>
        )}
      </Panel>
      {issue !== undefined && (
        <IssueDrawer key={issue} issueId={issue} migration={migration} request={request} onClose={close} />
      )}
    </div>
  )
}

interface FiltersProps {
  migration: Migration
  search: IssueSearch
  ofAnyCause: readonly Group[]
  onChange: (next: Partial<IssueSearch>) => void
}

function Filters({ migration, search, ofAnyCause, onChange }: FiltersProps) {
  const { requestId: id } = migration
  const { part, cause, text } = search
  return (
    <search className="filters">
      <SearchField
        label="Name, SKU, id or message"
        value={text ?? ''}
        onChange={(next) => onChange({ text: next || undefined })}
      />
      <Choice
        label="Part"
        words={partWords(migration)}
        counts={usePartTotals(id, search)}
        value={part}
        onChange={(next) => onChange({ part: next })}
      />
      <Choice
        label="Cause"
        words={causeChoices(ofAnyCause, cause)}
        counts={totalsOf(ofAnyCause)}
        value={cause}
        onChange={(next) => onChange({ cause: next })}
      />
      <DownloadButton path={`/v2/migrations/${id}/issues.csv`} query={issueFiltersOf(search)} />
    </search>
  )
}

/** How many matching issues are on each list. Takes one request. */
function useShelfTotals(id: string, search: IssueSearch): Partial<Record<IssueShelf, number>> {
  const { data } = useQuery(issueGroupsQuery(id, issueQueriesOf.shelves(search)))
  return data ? shelfTotals(data.groups) : {}
}

/** How many matching issues each part has. */
function usePartTotals(id: string, search: IssueSearch): ReadonlyMap<string, number> | undefined {
  const { data } = useQuery(issueGroupsQuery(id, issueQueriesOf.parts(search)))
  return data && totalsOf(data.groups)
}
