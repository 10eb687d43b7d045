import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { auditQuery } from '../data/queries.ts'
import { ListPanel } from '../ui/list-panel.tsx'
import { Screen } from '../ui/screen.tsx'
import { AuditTable } from './audit-table.tsx'

const route = getRouteApi('/app/audit')

export function Audit() {
  const { cursor } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(auditQuery({ cursor }))
  return (
    <Screen title="Audit" lead="Who did what in your organization.">
      <ListPanel nextCursor={data.nextCursor} cursor={cursor} onTurn={(next) => navigate({ search: { cursor: next } })}>
        <AuditTable rows={data.items} />
      </ListPanel>
    </Screen>
  )
}
