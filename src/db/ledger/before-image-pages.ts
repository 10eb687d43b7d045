import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { Database } from '../core/database.ts'

export type BeforeImageRow = Columns<'before_images', 'component' | 'destinationId' | 'action' | 'body' | 'at'> & {
  /** Then `body` is null. */
  isSealed: boolean
}

export type BeforeImageKey = Pick<BeforeImageRow, 'component' | 'destinationId' | 'action'>

/** What a run overwrote and deleted (D6), in the order of the table's key. */
export async function listBeforeImageRows(
  database: Database,
  run: { organisationId: string; id: string },
  { component, after, limit }: { component?: string | undefined; after: BeforeImageKey | null; limit: number },
): Promise<BeforeImageRow[]> {
  const { rows } = await sql<BeforeImageRow>`
    select component, destination_id as "destinationId", action, body, body_sealed is not null as "isSealed", at
    from before_images
    where organisation_id = ${run.organisationId} and run_id = ${run.id}
      and (${component ?? null}::text is null or component = ${component ?? null})
      and (${after?.component ?? null}::text is null
        or (component, destination_id, action) >
          (${after?.component ?? null}::text, ${after?.destinationId ?? null}::text, ${after?.action ?? null}::text))
    order by component, destination_id, action
    limit ${limit}`.execute(database)
  return rows
}
