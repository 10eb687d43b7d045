import { sql } from 'kysely'
import type { InTransaction } from './database.ts'
import { type IssueFilters, saysText } from './run-findings.ts'

interface RunName {
  id: string
  organisationId: string
}

export type IssueChoice = Omit<IssueFilters, 'state'> & { ids?: string[] }

/** Dismisses what is open and fits. @returns how many issues that were. */
export async function dismissOpen(tx: InTransaction, run: RunName, choice: IssueChoice): Promise<number> {
  const { ids = null, phase = null, component = null, severity = null, code = null, text = null } = choice
  const { rows } = await sql`
    update issues set state = 'dismissed', last_at = now()
    where organisation_id = ${run.organisationId} and run_id = ${run.id} and state = 'open'
      and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))
      and (${phase}::text is null or phase = ${phase})
      and (${component}::text is null or component = ${component})
      and (${severity}::text is null or severity = ${severity})
      and (${code}::text is null or code = ${code})
      and ${saysText(text)}
    returning id`.execute(tx)
  return rows.length
}

/** A person asks: another round, with passes and time of its own. */
export async function requestHealing(tx: InTransaction, run: RunName): Promise<void> {
  await sql`
    update runs set heal_round = heal_round + 1, heal_pass = 0, heal_ms = 0
    where organisation_id = ${run.organisationId} and id = ${run.id}`.execute(tx)
}
