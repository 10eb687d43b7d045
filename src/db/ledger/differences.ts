import { sql } from 'kysely'
import type { InTransaction } from '../core/database.ts'
import type { DifferenceCount } from '../core/stored-types.ts'
import type { Tables } from '../core/tables.ts'

export interface DifferenceToWrite {
  phase: string
  component: string
  kind: 'missing' | 'different' | 'extra'
  sourceId: string
  destinationId: string
  item: { name: string | null; sku: string | null; path: string | null }
  /** Without the values of personal and secret components (S9). */
  fields: {
    path: string
    source?: unknown
    destination?: unknown
    /** Names of the items whose ids appear in the values, by id. */
    names?: Record<string, string>
  }[]
  /** Only destination-owned values differ: reported, not counted as a failure (D1). */
  living: boolean
  changedMeanwhile: boolean
  /** It was left as it is: shoppers made it, or the person may have been erased (G3, G12). */
  kept: boolean
}

export async function saveDifferences(
  tx: InTransaction,
  run: { id: string; organisationId: string },
  differences: DifferenceToWrite[],
): Promise<void> {
  if (differences.length === 0) return
  await sql`
    insert into differences (organisation_id, run_id, phase, component, kind, source_id, destination_id, item, fields, living,
      changed_meanwhile, kept)
    select ${run.organisationId}, ${run.id}, d."phase", d."component", d."kind", d."sourceId", d."destinationId", d."item",
      d."fields", d."living", d."changedMeanwhile", d."kept"
    from jsonb_to_recordset(${JSON.stringify(differences)}::jsonb) as d("phase" text, "component" text, "kind" text,
      "sourceId" text, "destinationId" text, "item" jsonb, "fields" jsonb, "living" boolean, "changedMeanwhile" boolean,
      "kept" boolean)
    on conflict (run_id, component, kind, source_id, destination_id) do update set fields = excluded.fields`.execute(tx)
}

export interface DifferenceChoice {
  ids?: string[]
  phase?: string | undefined
  component?: string | undefined
  kind?: DifferenceToWrite['kind'] | undefined
}

type State = Tables['differences']['state']

/** Dismisses the matching open differences, or reopens dismissed ones. @returns how many. */
export async function changeDifferences(
  tx: InTransaction,
  run: { id: string; organisationId: string },
  { from, to }: { from: State; to: State },
  { ids, phase, component, kind }: DifferenceChoice,
): Promise<number> {
  const { rows } = await sql`
    update differences set state = ${to}
    where organisation_id = ${run.organisationId} and run_id = ${run.id} and state = ${from}
      and (${ids ?? null}::bigint[] is null or id = any(${ids ?? null}::bigint[]))
      and (${phase ?? null}::text is null or phase = ${phase ?? null})
      and (${component ?? null}::text is null or component = ${component ?? null})
      and (${kind ?? null}::text is null or kind = ${kind ?? null})
    returning id`.execute(tx)
  return rows.length
}

/**
 * The query that counts a run's differences by phase and kind, with separate counts for those that are not the copy's
 * fault.
 */
export function differencesByKind(run: { organisationId: string; runId: string }) {
  return sql<DifferenceCount>`
    select phase, kind, count(*)::integer as count, (count(*) filter (where living))::integer as living,
      (count(*) filter (where kept))::integer as kept,
      (count(*) filter (where state = 'dismissed'))::integer as dismissed,
      (count(*) filter (where changed_meanwhile))::integer as "changedMeanwhile"
    from differences where organisation_id = ${run.organisationId} and run_id = ${run.runId}
    group by phase, kind order by phase, kind`
}
