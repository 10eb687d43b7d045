import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { roleMeanings } from '../../../src/contract/accounts/permissions.ts'
import { ownAuditQuery } from '../../data/people-queries.ts'
import { useSession } from '../../session.tsx'
import { Fact } from '../../ui/fact.tsx'
import { ListPanel } from '../../ui/list-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Screen } from '../../ui/screen.tsx'
import { useShown } from '../../use-shown.ts'
import { roleWords } from '../../words.ts'
import { AuditTable } from '../audit-table.tsx'
import { PartState } from '../part-state.tsx'
import { NameForm } from './name-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { SecondStep } from './second-step.tsx'
import { SessionList } from './session-list.tsx'
import { TokenList } from './token-list.tsx'

const route = getRouteApi('/app/profile')

export function Profile() {
  const { user, organizations, isAdministrator } = useSession()
  return (
    <Screen title="Your profile" lead={<bdi>{user.email}</bdi>}>
      <div className="stack">
        {(organizations.length > 0 || isAdministrator) && (
          <Panel title="What you may do">
            <dl className="facts">
              {organizations.map(({ id, name, role }) => (
                <Fact key={id} term={name}>
                  {roleWords[role]} <small>{roleMeanings[role]}</small>
                </Fact>
              ))}
              {isAdministrator && <Fact term="This service">Administrator</Fact>}
            </dl>
          </Panel>
        )}
        <NameForm />
        <PasswordForm />
        <SecondStep />
        <SessionList />
        <TokenList />
        <OwnAudit />
      </div>
    </Screen>
  )
}

function OwnAudit() {
  const { shown: cursor, failed } = useShown(route.useSearch().done, ownAuditQuery)
  const navigate = route.useNavigate()
  const { data } = useSuspenseQuery(ownAuditQuery(cursor))
  const show = (next: string | undefined) => navigate({ search: (search) => ({ ...search, done: next }) })
  return (
    <ListPanel
      title="What you did"
      problem={failed && <PartState query={failed} />}
      page={data}
      shown={{ cursor }}
      onTurn={show}
    >
      <AuditTable rows={data.items} />
    </ListPanel>
  )
}
