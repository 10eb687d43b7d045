import { sql } from 'kysely'
import type { Database } from '../../src/db/core/database.ts'
import { foldLedger } from '../../src/db/ledger/ledger.ts'

const states = ['created', 'updated', 'matched', 'skipped', 'failed', 'cancelled'] as const

type CounterRow = { component: string; discovered: number } & Record<(typeof states)[number], number>

/** The part of a world that shows how a run ended. */
interface Books {
  database: Database
}

/**
 * The ledger invariant, for any run that is at rest (E3): counter rows equal the folded ledger, and the discovered items are the
 * sum of the states. At its end nothing is pending, and a run that ended by itself leaves no unconfirmed write. The harness
 * checks this at every end it waits for.
 *
 * @throws with every wrong line of the ledger.
 */
export async function expectSoundEnd({ database }: Books, runId: string): Promise<void> {
  const wrong = [
    ...(await wrongCounters(database, runId)),
    ...(await pendingItems(database, runId)),
    ...(await openIntents(database, runId)),
  ]
  if (wrong.length > 0) throw new Error(`Run ${runId} ended with wrong books:\n${wrong.join('\n')}`)
}

async function wrongCounters(database: Database, runId: string): Promise<string[]> {
  const folded = new Map<string, number>()
  const components = new Set<string>()
  for (const { component, state, count } of await foldLedger(database, runId)) {
    folded.set(`${component} ${state}`, count)
    components.add(component)
  }
  const rows = await counterRows(database, runId)
  const counted = new Set(rows.map(({ component }) => component))
  const uncounted = [...components].filter((component) => !counted.has(component))
  return [
    ...uncounted.map((component) => `${component}: no counter row`),
    ...rows.flatMap((row) => wrongIn(row, folded)),
  ]
}

function wrongIn({ component, discovered, ...counts }: CounterRow, folded: Map<string, number>): string[] {
  const inLedger = (state: string) => folded.get(`${component} ${state}`) ?? 0
  const unequal = states.filter((state) => counts[state] !== inLedger(state))
  const sum = states.reduce((total, state) => total + counts[state], inLedger('pending'))
  return [
    ...unequal.map((state) => `${component}: ${counts[state]} ${state} counted, ${inLedger(state)} in the ledger`),
    ...(discovered === sum ? [] : [`${component}: ${discovered} discovered, ${sum} ended`]),
  ]
}

async function counterRows(database: Database, runId: string): Promise<CounterRow[]> {
  const { rows } = await sql<CounterRow>`
    select component, discovered, created, updated, matched, skipped, failed, cancelled
    from run_counters where run_id = ${runId} order by position`.execute(database)
  return rows
}

/** A paused run has some. */
async function pendingItems(database: Database, runId: string): Promise<string[]> {
  const { rows } = await sql<{ component: string; items: number }>`
    select l.component, count(*)::integer as items from ledger as l join runs as r on r.id = l.run_id
    where l.run_id = ${runId} and l.state = 'pending' and r.status in ('completed', 'partial_completed', 'failed', 'cancelled')
    group by 1`.execute(database)
  return rows.map(({ component, items }) => `${component}: ${items} still pending`)
}

/** A stopped run may leave unconfirmed writes: they belong to the destination, and the next run settles them (B4). */
async function openIntents(database: Database, runId: string): Promise<string[]> {
  const { rows } = await sql<{ component: string; action: string }>`
    select i.component, i.action from intents as i join runs as r on r.id = i.run_id
    where i.run_id = ${runId} and r.status in ('completed', 'partial_completed')`.execute(database)
  return rows.map(({ component, action }) => `${component}: a call to ${action} is still unconfirmed`)
}
