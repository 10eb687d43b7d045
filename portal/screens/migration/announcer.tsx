import { useEffect, useState } from 'react'
import type { Migration, MigrationRequest } from '../../data/queries.ts'
import { nextAnnouncement, unannounced } from './announcements.ts'

interface Props {
  migration: Migration
  request: MigrationRequest
}

/** Announces a migration to screen readers while its page is open. */
export function Announcer({ migration, request }: Props) {
  const [said, setSaid] = useState(() => unannounced(migration, request, performance.now()))
  useEffect(
    () => setSaid((last) => nextAnnouncement(last, migration, request, performance.now())),
    [migration, request],
  )
  return (
    <p className="unseen" role="status">
      {said.text}
    </p>
  )
}
