import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { allAuditQuery } from '../../data/queries.ts'
import { paths } from '../../paths.ts'
import { ClearFilters } from '../../ui/clear-filters.tsx'
import { Choice, DateField } from '../../ui/field.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { EmptyNote } from '../../ui/notice.tsx'
import { Screen } from '../../ui/screen.tsx'
import { useShown } from '../../use-shown.ts'
import { actionWords } from '../../words.ts'
import { auditFiltersOf } from '../audit-search.ts'
import { AuditTable } from '../audit-table.tsx'
import { PartState } from '../part-state.tsx'

const route = getRouteApi('/admin/audit')

const noMatch = (
  <EmptyNote title="Nothing matches" action={<ClearFilters />}>
    Try another action or date.
  </EmptyNote>
)

export function AllAudit() {
  const search = route.useSearch()
  const { action, from, until } = search
  const queryOf = ({ organization: organisation, ...asked }: typeof search) =>
    allAuditQuery({ organisation, ...auditFiltersOf(asked) })
  const { shown, failed } = useShown(search, queryOf)
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(queryOf(shown))
  const narrow = (change: typeof search) =>
    navigate({ search: { ...search, cursor: undefined, ...change }, replace: true })
  const isNarrowed = [shown.action, shown.user, shown.from, shown.until].some((filter) => filter !== undefined)
  const name = shown.organization && data.items[0]?.organisation?.name
  return (
    <Screen title="Audit" lead="Who did what, in every organization.">
      <ListPanel
        filters={
          <>
            <Choice label="Action" words={actionWords} value={action} onChange={(next) => narrow({ action: next })} />
            <DateField label="From" value={from} onChange={(next) => narrow({ from: next })} />
            <DateField label="Until" value={until} onChange={(next) => narrow({ until: next })} />
            {shown.user && (
              <p className="filter-note">
                Only what <bdi>{data.items[0]?.user?.name ?? 'one person'}</bdi> did.{' '}
                <Link to={paths.allAudit} search={{ ...search, user: undefined, cursor: undefined }}>
                  Show everyone
                </Link>
              </p>
            )}
            {shown.organization && (
              <p className="filter-note">
                Only <bdi>{name ?? 'one organization'}</bdi>. <Link to={paths.allAudit}>Show all</Link>
              </p>
            )}
          </>
        }
        problem={failed && <PartState query={failed} />}
        page={data}
        shown={shown}
        onTurn={(next) => navigate({ search: { ...shown, cursor: next } })}
      >
        <AuditTable rows={data.items} isOfAll empty={isNarrowed ? noMatch : undefined} />
      </ListPanel>
    </Screen>
  )
}
