import { useSession } from '../session.tsx'
import { EmptyNote } from '../ui/notice.tsx'
import { Panel } from '../ui/panel.tsx'
import { Screen } from '../ui/screen.tsx'

export function Home() {
  const { organization } = useSession()
  return (
    <Screen title="Home">
      <Panel>
        {organization ? (
          <EmptyNote title={`Welcome to ${organization.name}`}>
            A migration copies one store to another. A trial run shows what would happen and changes nothing.
          </EmptyNote>
        ) : (
          <EmptyNote title="You are not a member of any organization">
            Ask an owner of your organization to invite you.
          </EmptyNote>
        )}
      </Panel>
    </Screen>
  )
}
