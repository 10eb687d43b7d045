import { sql } from 'kysely'
import type { Columns, OrNull } from '../core/columns.ts'
import type { Database } from '../core/database.ts'
import { mentions } from '../core/text-search.ts'

export type BeforeImageRow = Columns<'before_images', 'component' | 'destinationId' | 'action' | 'body' | 'at'> &
  OrNull<Columns<'before_images', 'item'>> & {
    /** Then `body` is null. */
    isSealed: boolean
  }

export type BeforeImageKey = Pick<BeforeImageRow, 'component' | 'destinationId' | 'action'>

export interface BeforeImageFilters {
  component?: string | undefined
  action?: BeforeImageRow['action'] | undefined
  destinationId?: string | undefined
  /** Part of a name or SKU, or a whole id. */
  text?: string | undefined
}

/** What a run overwrote and deleted (D6), in the order of the table's primary key. */
export async function listBeforeImageRows(
  database: Database,
  run: { organisationId: string; id: string },
  filters: BeforeImageFilters,
  { after, limit }: { after: BeforeImageKey | null; limit: number },
): Promise<BeforeImageRow[]> {
  const { component, action, destinationId, text } = filters
  const { rows } = await sql<BeforeImageRow>`
    select component, destination_id as "destinationId", action, body, item, body_sealed is not null as "isSealed", at
    from before_images
    where organisation_id = ${run.organisationId} and run_id = ${run.id}
      and (${component ?? null}::text is null or component = ${component ?? null})
      and (${action ?? null}::text is null or action = ${action ?? null})
      and (${destinationId ?? null}::text is null or destination_id = ${destinationId ?? null})
      and ${mentions(text, [sql`item ->> 'name'`, sql`item ->> 'sku'`, sql`item ->> 'parent'`], [sql`destination_id`])}
      and (${after?.component ?? null}::text is null
        or (component, destination_id, action) >
          (${after?.component ?? null}::text, ${after?.destinationId ?? null}::text, ${after?.action ?? null}::text))
    order by component, destination_id, action
    limit ${limit}`.execute(database)
  return rows
}
