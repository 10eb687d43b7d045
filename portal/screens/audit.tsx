import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { auditPeopleQuery, auditQuery } from '../data/queries.ts'
import { ClearFilters } from '../ui/clear-filters.tsx'
import { Choice, DateField } from '../ui/field.tsx'
import { ListPanel } from '../ui/list-panel.tsx'
import { EmptyNote } from '../ui/notice.tsx'
import { Screen } from '../ui/screen.tsx'
import { useShown } from '../use-shown.ts'
import { organizationActionWords } from '../words.ts'
import { type AuditSearch, auditFiltersOf } from './audit-search.ts'
import { AuditTable } from './audit-table.tsx'
import { OwnersOnly } from './owners-only.tsx'
import { PartState } from './part-state.tsx'

const route = getRouteApi('/app/audit')

const noMatch = (
  <EmptyNote title="Nothing matches" action={<ClearFilters />}>
    Try another person, action or date.
  </EmptyNote>
)

export function Audit() {
  return (
    <OwnersOnly title="Audit" list="list-audit">
      <AuditLog />
    </OwnersOnly>
  )
}

const listQuery = (search: AuditSearch) => auditQuery(auditFiltersOf(search))

function AuditLog() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { shown, failed } = useShown(search, listQuery)
  const { data } = useSuspenseQuery(listQuery(shown))
  const { data: known } = useSuspenseQuery(auditPeopleQuery())
  const { action, user, from, until } = search
  const people = {
    ...(user !== undefined && { [user]: 'Somebody else' }),
    ...Object.fromEntries(known.items.map(({ id, name, email }) => [id, `${name} (${email})`])),
  }
  const narrow = (change: AuditSearch) =>
    navigate({ search: { ...search, cursor: undefined, ...change }, replace: true })
  const isNarrowed = [shown.action, shown.user, shown.from, shown.until].some((filter) => filter !== undefined)
  return (
    <Screen
      title="Audit"
      lead="Who did what in your organization. Of sign-ins, only those that failed are listed: all others are in the profile of the person."
    >
      <ListPanel
        filters={
          <>
            <Choice label="Person" words={people} value={user} onChange={(next) => narrow({ user: next })} />
            <Choice
              label="Action"
              words={organizationActionWords}
              value={action}
              onChange={(next) => narrow({ action: next })}
            />
            <DateField label="From" value={from} onChange={(next) => narrow({ from: next })} />
            <DateField label="Until" value={until} onChange={(next) => narrow({ until: next })} />
          </>
        }
        problem={failed && <PartState query={failed} />}
        page={data}
        shown={shown}
        onTurn={(next) => navigate({ search: { ...shown, cursor: next } })}
      >
        <AuditTable rows={data.items} empty={isNarrowed ? noMatch : undefined} />
      </ListPanel>
    </Screen>
  )
}
