import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { auditQuery } from '../data/queries.ts'
import { Pager } from '../ui/pager.tsx'
import { Panel } from '../ui/panel.tsx'
import { Screen } from '../ui/screen.tsx'
import { AuditTable } from './audit-table.tsx'

const route = getRouteApi('/app/audit')

export function Audit() {
  const { cursor } = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(auditQuery({ cursor }))
  return (
    <Screen title="Audit" lead="Who did what in your organization.">
      <Panel flush>
        <AuditTable rows={data.items} />
        <Pager
          next={data.nextCursor}
          isFirst={!cursor}
          onNext={(next) => navigate({ search: { cursor: next } })}
          onFirst={() => navigate({ search: {} })}
        />
      </Panel>
    </Screen>
  )
}
