import { Outlet } from '@tanstack/react-router'
import { useSession } from '../../session.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Screen } from '../../ui/screen.tsx'

/** Around every screen of the administration; the service refuses others as well. */
export function Administration() {
  const { isAdministrator } = useSession()
  if (isAdministrator) return <Outlet />
  return (
    <Screen title="Not allowed">
      <Notice tone="quiet">Administration is for the people who run this service.</Notice>
    </Screen>
  )
}
