import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ApiError } from '../../data/client.ts'
import { issuesKey, type Migration, migrationKey, requestQuery } from '../../data/queries.ts'

/** Sends a control and shows its answer. After a conflict the present state is loaded first. */
export function useControl(id: string): (send: () => Promise<Migration>) => Promise<void> {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (send) => {
    try {
      const answer = await send()
      queries.setQueryData(migrationKey(answer.requestId), answer)
      if (answer.requestId !== id) await navigate({ to: '/app/migrations/$id', params: { id: answer.requestId } })
    } catch (error) {
      if (error instanceof ApiError && error.httpStatus === 409) await queries.invalidateQueries()
      throw error
    }
    await Promise.all([
      queries.invalidateQueries({ queryKey: requestQuery(id).queryKey }),
      queries.invalidateQueries({ queryKey: issuesKey(id) }),
    ])
  }
}
