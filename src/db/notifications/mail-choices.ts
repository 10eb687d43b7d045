import { sql } from 'kysely'
import type { EventKind } from '../../contract/event-kinds.ts'
import type { Database, InTransaction } from '../core/database.ts'

export interface MailChoiceRow {
  userId: string
  name: string
  email: string
  events: EventKind[]
}

const choices = sql`memberships member
  join users person on person.id = member.user_id and person.active
  left join notification_mails choice on choice.organisation_id = member.organisation_id and choice.user_id = member.user_id`
const columns = sql`member.user_id as "userId", person.first_name || ' ' || person.last_name as name, person.email,
  coalesce(choice.events, '{}') as events`

/** Active members, with what each is mailed about. */
export async function listMailChoices(database: Database, organisationId: string): Promise<MailChoiceRow[]> {
  const { rows } = await sql<MailChoiceRow>`
    select ${columns} from ${choices} where member.organisation_id = ${organisationId} and member.active
    order by person.email_key`.execute(database)
  return rows
}

/** @returns undefined if the organisation has no such active member. */
export async function saveMailChoice(
  tx: InTransaction,
  organisationId: string,
  { userId, events }: Pick<MailChoiceRow, 'userId' | 'events'>,
): Promise<MailChoiceRow | undefined> {
  await sql`
    insert into notification_mails (organisation_id, user_id, events)
    select member.organisation_id, member.user_id, ${events}::text[] from memberships member
    where member.organisation_id = ${organisationId} and member.user_id = ${userId} and member.active
    on conflict (organisation_id, user_id) do update set events = excluded.events`.execute(tx)
  const { rows } = await sql<MailChoiceRow>`
    select ${columns} from ${choices}
    where member.organisation_id = ${organisationId} and member.user_id = ${userId} and member.active`.execute(tx)
  return rows[0]
}
