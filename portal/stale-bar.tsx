import { type Query, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { clockTime } from './format/time.ts'

/** Says that the screen could not be refreshed, and from when its data are. The screen stays. */
export function StaleBar() {
  const cache = useQueryClient().getQueryCache()
  const shownAt = useSyncExternalStore(
    (notify) => cache.subscribe(notify),
    () =>
      Math.min(
        ...cache
          .getAll()
          .filter(isStale)
          .map(({ state }) => state.dataUpdatedAt),
      ),
  )
  if (!Number.isFinite(shownAt)) return null
  return (
    <p className="offline-bar" role="status">
      Could not refresh. Showing {clockTime(new Date(shownAt))}.{' '}
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
