import { type AnyUseQueryOptions, hashKey, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

/**
 * What a list shows: the last search until the next one is loaded, so that the control which changed it stays, with its focus. Controls
 * follow the search itself; rows, their columns, caption, empty note and pager follow `shown`. Where the next one cannot be loaded,
 * `failed` says so in place of the rows.
 */
export function useShown<Search>(search: Search, queryOf: (search: Search) => AnyUseQueryOptions) {
  const query = queryOf(search)
  const key = hashKey(query.queryKey)
  const next: UseQueryResult<unknown> = useQuery(query)
  const [last, setLast] = useState({ key, search })
  if (last.key !== key && next.isSuccess && !next.isPlaceholderData) setLast({ key, search })
  const shown = last.key === key ? search : last.search
  return { shown, failed: last.key !== key && next.isLoadingError ? next : undefined }
}
