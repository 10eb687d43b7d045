import { rootsWithoutChecksum, saveDestinationChecksums } from '../../db/ledger/mappings.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity } from '../../entities/core/references.ts'
import type { RunContext } from '../context/context.ts'
import { idListOf, rowsByIds } from '../read/by-ids.ts'
import { comparedReading } from '../read/destination-lister.ts'
import { asStorefrontSees } from '../scope/storefront-scope.ts'

/**
 * Reads what this run wrote as the list shows it and keeps its checksum, so that the next run can tell who changed what (C2).
 * Answers to writes show an item in another form. One call per page: 0.4% of the writes. If the process dies before, the next
 * run compares these items in full.
 */
export async function recordChecksums(context: RunContext, pass: Pass): Promise<void> {
  if (!pass.byIds || pass.createOnly || context.run.mode !== 'full') return
  const { query, limit } = comparedReading(pass, true)
  const list = { ...idListOf(pass), query, limit }
  const scope = context.references.scope(pass.root)
  for (let after = ''; ; ) {
    const roots = await rootsWithoutChecksum(context.database, context.pair, {
      runId: context.run.id,
      scope,
      component: pass.root,
      after,
      limit,
    })
    if (roots.length === 0) return
    after = roots.at(-1)?.sourceId ?? after
    const ids = roots.map((root) => root.destinationId)
    const rows = await rowsByIds(context, 'destination', list, ids)
    const seen = await asStorefrontSees(context, 'destination', pass, rows)
    const sums = seen
      .map((item) => pass.drafts(item, identity))
      .map((draft) => ({ destinationId: draft.id, checksum: context.protection.checksum(draft) }))
    await context.recorder.record((tx) => saveDestinationChecksums(tx, context.pair, scope, pass.root, sums))
  }
}
