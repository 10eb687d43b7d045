import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isLive } from '../../../src/contract/status.ts'
import { issuesKey, type Migration, migrationKey, migrationQuery, requestQuery } from '../../data/queries.ts'
import { watchMigration } from '../../data/watch-migration.ts'

/** A tab in the background lets its connection go after this: a browser allows few of them for one host. */
const hiddenMs = 30_000
const pollMs = 5_000

/** Keeps a migration up to date while it is under way: by its stream, or by polling where streams are cut. */
export function useLiveMigration({ requestId, status }: Migration): void {
  const queries = useQueryClient()
  const [mustPoll, setMustPoll] = useState(false)
  const isVisible = useVisibleLately()
  const isWatching = isLive(status) && isVisible
  useQuery({ ...migrationQuery(requestId), refetchInterval: pollMs, enabled: isWatching && mustPoll })
  useEffect(() => {
    if (!isWatching || mustPoll) return
    return watchMigration(requestId, {
      onMigration: (migration) => queries.setQueryData(migrationKey(requestId), migration),
      onGiveUp: () => setMustPoll(true),
    })
  }, [queries, requestId, isWatching, mustPoll])
  const seen = useRef(status)
  // The stream does not carry a requested pause, a waiting deletion or the failure.
  useEffect(() => {
    queries.invalidateQueries({ queryKey: requestQuery(requestId).queryKey })
    if (seen.current !== status) queries.invalidateQueries({ queryKey: issuesKey(requestId) })
    seen.current = status
  }, [queries, requestId, status])
}

function useVisibleLately(): boolean {
  const [isVisible, setVisible] = useState(true)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') setVisible(true)
      else timer = setTimeout(() => setVisible(false), hiddenMs)
    }
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return isVisible
}
