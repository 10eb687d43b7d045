import { type Query, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { pastTime } from './format/time.ts'

/** Says that the screen could not be refreshed, and from when its data are. The screen stays. */
export function StaleBar() {
  const cache = useQueryClient().getQueryCache()
  // Each failed try looks again whether it is still the same day.
  const since = useSyncExternalStore(
    (notify) => cache.subscribe(notify),
    () => {
      const times = cache
        .getAll()
        .filter(isStale)
        .map(({ state }) => state.dataUpdatedAt)
      return times.length === 0 ? undefined : pastTime(new Date(Math.min(...times)), new Date())
    },
  )
  if (since === undefined) return null
  return (
    <p className="offline-bar" role="status">
      Could not refresh. Showing {since}.{' '}
      <button
        type="button"
        className="link-button"
        onClick={() =>
          cache
            .getAll()
            .filter(isStale)
            .map((query) => query.fetch().catch(() => undefined))
        }
      >
        Try again
      </button>
    </p>
  )
}

/** Whether the current screen uses this query, which has data but failed to load them again. */
function isStale(query: Query): boolean {
  const { status, data, dataUpdatedAt } = query.state
  return status === 'error' && data !== undefined && dataUpdatedAt > 0 && query.getObserversCount() > 0
}
