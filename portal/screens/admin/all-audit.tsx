import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { allAuditQuery } from '../../data/queries.ts'
import { paths } from '../../paths.ts'
import { ClearFilters } from '../../ui/clear-filters.tsx'
import { Choice } from '../../ui/field.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { EmptyNote } from '../../ui/notice.tsx'
import { Screen } from '../../ui/screen.tsx'
import { useShown } from '../../use-shown.ts'
import { actionWords } from '../../words.ts'
import { AuditTable } from '../audit-table.tsx'
import { PartState } from '../part-state.tsx'

const route = getRouteApi('/admin/audit')

const noMatch = (
  <EmptyNote title="Nothing matches" action={<ClearFilters />}>
    Try another action.
  </EmptyNote>
)

export function AllAudit() {
  const search = route.useSearch()
  const { organization, action } = search
  const queryOf = ({ organization: organisation, action, cursor }: typeof search) =>
    allAuditQuery({ organisation, action, cursor })
  const { shown, failed } = useShown(search, queryOf)
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(queryOf(shown))
  const name = shown.organization && data.items[0]?.organisation?.name
  return (
    <Screen title="Audit" lead="Who did what, in every organization.">
      <ListPanel
        filters={
          <>
            <Choice
              label="Action"
              words={actionWords}
              value={action}
              onChange={(next) => navigate({ search: { organization, action: next }, replace: true })}
            />
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
        <AuditTable rows={data.items} isOfAll empty={shown.action && noMatch} />
      </ListPanel>
    </Screen>
  )
}
