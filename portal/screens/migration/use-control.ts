import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { changedMeanwhile } from '../../data/errors.ts'
import { issuesKey, type Migration, migrationKey, requestQuery } from '../../data/queries.ts'

/** Sends a control and displays the result. After a conflict, the current state is loaded first. */
export function useControl(id: string): (send: () => Promise<Migration>) => Promise<void> {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (send) => {
    try {
      const answer = await send()
      queries.setQueryData(migrationKey(answer.requestId), answer)
      if (answer.requestId !== id) await navigate({ to: '/app/migrations/$id', params: { id: answer.requestId } })
    } catch (error) {
      const changed = changedMeanwhile(error)
      if (changed) await queries.invalidateQueries()
      throw changed ?? error
    }
    await Promise.all([
      queries.invalidateQueries({ queryKey: requestQuery(id).queryKey }),
      queries.invalidateQueries({ queryKey: issuesKey(id) }),
    ])
  }
}
