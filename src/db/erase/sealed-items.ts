import { sql } from 'kysely'
import type { Columns } from '../core/columns.ts'
import type { InTransaction } from '../core/database.ts'

/** What a run has encrypted of a personal or secret item. */
interface SealedItem {
  runId: string
  /** With the master key it makes the run's key. */
  salt: Buffer
  /** The store that the item is of. */
  storeId: string
  itemId: string
  /** In base64. */
  sealed: string
}

/** What an update or a deletion replaced at the destination (D6). */
export type SealedImage = SealedItem &
  Columns<'before_images', 'component' | 'action'> & {
    sourceStoreId: string
    /** The item of the source that it belongs to; null where the run has forgotten it. */
    root: { pass: string; id: string } | null
  }

/** An item of the source that a run keeps until it ends (C3). */
export type SealedCopy = SealedItem & Columns<'staged_items', 'pass'>

const readAtOnce = 500
const first = '00000000-0000-0000-0000-000000000000'

/** Every encrypted before-image of an organisation, page by page. */
export async function* sealedImages(tx: InTransaction, organisationId: string): AsyncGenerator<SealedImage[]> {
  let after: Pick<SealedImage, 'runId' | 'component' | 'itemId'> & { action: string } = {
    ...{ runId: first, component: '', itemId: '', action: '' },
  }
  for (;;) {
    const { rows } = await sql<SealedImage>`
      select image.run_id as "runId", run.before_image_salt as salt, run.destination_store_id as "storeId",
        run.source_store_id as "sourceStoreId", image.component, image.destination_id as "itemId", image.action,
        encode(image.body_sealed, 'base64') as sealed,
        (select json_build_object('pass', item.pass, 'id', item.root_id) from mappings_of_pairs m
          join ledger item on item.run_id = image.run_id and item.component = m.component and item.source_id = m.source_id
          where m.source_store_id = run.source_store_id and m.destination_store_id = run.destination_store_id
            and m.scope = 'store' and m.component = image.component and m.destination_id = image.destination_id
          limit 1) as root
      from before_images image join runs run on run.id = image.run_id
      where image.organisation_id = ${organisationId} and image.body_sealed is not null
        and (image.run_id, image.component, image.destination_id, image.action)
          > (${after.runId}::uuid, ${after.component}::text, ${after.itemId}::text, ${after.action}::text)
      order by image.run_id, image.component, image.destination_id, image.action limit ${readAtOnce}`.execute(tx)
    if (rows.length > 0) yield rows
    const last = rows.length === readAtOnce ? rows.at(-1) : undefined
    if (!last) return
    after = last
  }
}

/**
 * Every encrypted item of the source that a run keeps.
 *
 * @param field of its body that has the encrypted text
 */
export async function* sealedCopies(
  tx: InTransaction,
  organisationId: string,
  field: string,
): AsyncGenerator<SealedCopy[]> {
  let after: Pick<SealedCopy, 'runId' | 'pass' | 'itemId'> = { runId: first, pass: '', itemId: '' }
  for (;;) {
    const { rows } = await sql<SealedCopy>`
      select copy.run_id as "runId", run.before_image_salt as salt, run.source_store_id as "storeId", copy.pass,
        copy.source_id as "itemId", copy.body ->> ${field} as sealed
      from staged_items copy join runs run on run.id = copy.run_id
      where run.organisation_id = ${organisationId} and copy.body ->> ${field} is not null
        and (copy.run_id, copy.pass, copy.source_id) > (${after.runId}::uuid, ${after.pass}::text, ${after.itemId}::text)
      order by copy.run_id, copy.pass, copy.source_id limit ${readAtOnce}`.execute(tx)
    if (rows.length > 0) yield rows
    const last = rows.length === readAtOnce ? rows.at(-1) : undefined
    if (!last) return
    after = last
  }
}

export async function deleteImages(tx: InTransaction, images: SealedImage[]): Promise<void> {
  const keys = images.map(({ runId, component, itemId, action }) => ({ runId, component, itemId, action }))
  await sql`
    delete from before_images image
    using jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k("runId" uuid, "component" text, "itemId" text, "action" text)
    where image.run_id = k."runId" and image.component = k."component" and image.destination_id = k."itemId"
      and image.action = k."action"`.execute(tx)
}

export async function deleteCopies(tx: InTransaction, copies: SealedCopy[]): Promise<void> {
  const keys = copies.map(({ runId, pass, itemId }) => ({ runId, pass, itemId }))
  await sql`
    delete from staged_items copy
    using jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k("runId" uuid, "pass" text, "itemId" text)
    where copy.run_id = k."runId" and copy.pass = k."pass" and copy.source_id = k."itemId"`.execute(tx)
}
