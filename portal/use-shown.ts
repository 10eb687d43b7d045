import { type AnyUseQueryOptions, hashKey, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

/**
 * The search whose results a list displays: the last one until the next has loaded, so that the control which changed
 * it stays, with its focus. Controls follow the search itself; rows, their columns, caption, empty note and pager
 * follow `shown`. If the next one cannot be loaded, `failed` replaces the rows with the error.
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
