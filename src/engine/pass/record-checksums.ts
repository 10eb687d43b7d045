import { saveDestinationChecksums, unsealedRoots } from '../../db/ledger/mappings.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity } from '../../entities/core/references.ts'
import type { RunContext } from '../context/context.ts'
import { comparedReading } from '../read/destination-lister.ts'
import { asStorefrontSees } from '../scope/run-part.ts'

/**
 * Reads what this run wrote as the list shows it and keeps its checksum, so that the next run can tell who changed what (C2). The
 * answers to our writes do not show an item as lists do. One call per page: 0.4 % of the writes. Dying before it costs the
 * next run a closer look and nothing else.
 */
export async function recordChecksums(context: RunContext, pass: Pass): Promise<void> {
  if (!pass.byIds || pass.createOnly || context.run.mode !== 'full') return
  const { query, limit } = comparedReading(pass, true)
  const scope = context.references.scope(pass.root)
  for (let after = ''; ; ) {
    const roots = await unsealedRoots(context.database, context.pair, {
      runId: context.run.id,
      scope,
      component: pass.root,
      after,
      limit,
    })
    if (roots.length === 0) return
    after = roots.at(-1)?.sourceId ?? after
    const ids = roots.map((root) => root.destinationId).join(',')
    const answer = await context.destination.get<{ data: PlatformItem[] }>(
      pass.byIds.path,
      { ...query, [pass.byIds.idsParameter]: ids, limit },
      { signal: context.lease.stop },
    )
    const seen = await asStorefrontSees(context, 'destination', pass, answer.body.data)
    const sums = seen
      .map((item) => pass.drafts(item, identity))
      .map((draft) => ({ destinationId: draft.id, checksum: context.protection.checksum(draft) }))
    await context.recorder.record((tx) => saveDestinationChecksums(tx, context.pair, scope, pass.root, sums))
  }
}
