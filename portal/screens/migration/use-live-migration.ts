import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isLive } from '../../../src/contract/status.ts'
import {
  differencesKey,
  issuesKey,
  type Migration,
  migrationKey,
  migrationQuery,
  ofOrganization,
  requestQuery,
} from '../../data/queries.ts'
import { watchMigration } from '../../data/watch-migration.ts'

/** After this time in the background, a tab closes its connection, because browsers allow only a few to one host. */
const hiddenMs = 30_000
const pollMs = 5_000

/** Keeps a running migration up to date, through its event stream, or by polling where streams are cut. */
export function useLiveMigration({ requestId, status }: Migration): void {
  const queries = useQueryClient()
  const [mustPoll, setMustPoll] = useState(false)
  const isVisible = useVisibleLately()
  const isWatching = isLive(status) && isVisible
  useQuery({ ...migrationQuery(requestId), refetchInterval: pollMs, enabled: isWatching && mustPoll })
  // What another person asked for, and what it waits for, are not in the stream.
  useQuery({ ...requestQuery(requestId), refetchInterval: pollMs, enabled: isWatching })
  useEffect(() => {
    if (!isWatching || mustPoll) return
    return watchMigration(requestId, {
      onMigration: (migration) => queries.setQueryData(migrationKey(requestId), migration),
      onGiveUp: () => setMustPoll(true),
    })
  }, [queries, requestId, isWatching, mustPoll])
  const seen = useRef(status)
  // A waiting deletion and the failure are there once the status is another.
  useEffect(() => {
    queries.invalidateQueries({ queryKey: requestQuery(requestId).queryKey })
    if (seen.current !== status) for (const queryKey of listKeys(requestId)) queries.invalidateQueries({ queryKey })
    seen.current = status
  }, [queries, requestId, status])
}

/** Lists that were opened before have what was found, done or asked for until then. */
function listKeys(id: string): unknown[][] {
  const ofMigration = ['deletions', 'deletion counts', 'pairs', 'before images', 'timeline']
  return [
    issuesKey(id),
    differencesKey(id),
    ...ofMigration.map((list) => ofOrganization(list, id)),
    ofOrganization('migrations'),
  ]
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
