import { whyNotNow } from '../allowed.ts'
import { useOnline } from '../online.ts'
import { useWhys } from '../ui/reasons.tsx'

/** For a control that is off only without a connection: the id of the bar that says so, above every screen. */
export function useOffNow(): string | undefined {
  const reason = whyNotNow(useOnline())
  return useWhys([reason]).idOf(reason)
}
