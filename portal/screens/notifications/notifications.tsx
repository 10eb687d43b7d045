import { mayCall } from '../../../src/contract/accounts/permissions.ts'
import { whyNotNotify } from '../../allowed.ts'
import { useAsker } from '../../session.tsx'
import { SayOnce } from '../../ui/reasons.tsx'
import { Screen } from '../../ui/screen.tsx'
import { OwnersOnly } from '../owners-only.tsx'
import { Deliveries } from './deliveries.tsx'
import { Mails } from './mails.tsx'
import { Webhooks } from './webhooks.tsx'

/** Operators see the webhooks and the log; owners also change them, and choose the mails. */
export function Notifications() {
  const asker = useAsker()
  return (
    <OwnersOnly title="Notifications" list="list-webhooks">
      <Screen
        title="Notifications"
        lead="Who is told what happens to your migrations: programs by webhook, members by mail."
      >
        <div className="stack">
          <SayOnce reasons={[whyNotNotify(asker)]}>
            <Webhooks />
            {mayCall(asker.role, 'list-mail-choices') && <Mails />}
            <Deliveries />
          </SayOnce>
        </div>
      </Screen>
    </OwnersOnly>
  )
}
