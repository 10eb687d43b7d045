import { sql } from 'kysely'
import type { Database } from '../core/database.ts'

/** What has not been sent: `event`, of which no deliveries have been written yet, and deliveries by how they are sent. */
export type WaitingNotifications = Record<'event' | 'webhook' | 'mail', { waiting: number; oldestSeconds: number }>

/** Across organisations, without a name or an id. Reads indexes of what waits only, however much was sent. */
export async function readWaitingNotifications(database: Database, now: Date): Promise<WaitingNotifications> {
  const { rows } = await sql<{ kind: keyof WaitingNotifications; waiting: number; oldestSeconds: number }>`
    select kind, count(*)::integer as waiting,
      greatest(0, extract(epoch from ${now}::timestamptz - min(since)))::real as "oldestSeconds"
    from (
      select 'event' as kind, at as since from notification_events where distributed_at is null
      union all
      select case when webhook_id is null then 'mail' else 'webhook' end, since from notification_deliveries
      where state = 'pending') unsent
    group by kind`.execute(database)
  const none = { waiting: 0, oldestSeconds: 0 }
  const found = rows.map(({ kind, ...numbers }) => [kind, numbers])
  return { event: none, webhook: none, mail: none, ...Object.fromEntries(found) }
}
