import { Link, Outlet } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { useSession } from '../../session.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Screen } from '../../ui/screen.tsx'

/** Wraps every screen of the administration. The service also refuses everyone else. */
export function Administration() {
  const { isAdministrator, secondStepMissing } = useSession()
  if (isAdministrator && secondStepMissing) return <SecondStepFirst />
  if (isAdministrator) return <Outlet />
  return (
    <Screen title="Not allowed">
      <Notice tone="quiet">Administration is for the people who run this service.</Notice>
    </Screen>
  )
}

function SecondStepFirst() {
  return (
    <Screen title="One more step">
      <Notice tone="review">
        <p>Administrators sign in with a second step, a code of an authenticator app. Turn it on, then come back.</p>
        <Link to={paths.profile}>Go to your profile</Link>
      </Notice>
    </Screen>
  )
}
