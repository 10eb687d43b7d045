import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'

/** `position` is the last id or cursor planned; '' at the start. */
export type Checkpoint = Columns<'checkpoints', 'position' | 'pages' | 'finished'>

export async function readCheckpoint(database: Database, runId: string, pass: string): Promise<Checkpoint> {
  const { rows } = await sql<Checkpoint>`
    /* kept: checkpoint */ select position, pages, finished from checkpoints
    where run_id = ${runId} and pass = ${pass}`.execute(database)
  return rows[0] ?? { position: '', pages: 0, finished: false }
}

export async function writeCheckpoint(tx: InTransaction, runId: string, pass: string, at: Checkpoint): Promise<void> {
  await sql`
    /* kept: checkpoint-writing */ insert into checkpoints (run_id, pass, position, pages, finished)
    values (${runId}, ${pass}, ${at.position}, ${at.pages}, ${at.finished})
    on conflict (run_id, pass) do update
      set position = excluded.position, pages = excluded.pages, finished = excluded.finished`.execute(tx)
}
