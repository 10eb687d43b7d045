import { useEffect, useRef, useState } from 'react'
import type { Migration } from '../../data/queries.ts'
import { briefSummary } from '../../format/summary.ts'

const quietMs = 30_000

/** What a screen reader hears: the status, each step and every ten percent, at most twice a minute. */
export function Announcer({ migration }: { migration: Migration }) {
  const { status, progress, summaryLine } = migration
  const moment = `${status} ${progress.phase} ${Math.floor(progress.percent / 10)}`
  const [said, setSaid] = useState('')
  const last = useRef({ moment, status, atMs: performance.now() })
  useEffect(() => {
    const { moment: before, status: statusBefore, atMs } = last.current
    if (moment === before) return
    if (status === statusBefore && performance.now() - atMs < quietMs) return
    last.current = { moment, status, atMs: performance.now() }
    setSaid(briefSummary(summaryLine))
  }, [moment, status, summaryLine])
  return (
    <p className="unseen" role="status">
      {said}
    </p>
  )
}
