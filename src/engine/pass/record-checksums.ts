import { statesOf } from '../../db/ledger/ledger.ts'
import { mappingsOf, rootsWithoutChecksum, saveDestinationChecksums } from '../../db/ledger/mappings.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity } from '../../entities/core/references.ts'
import { entities } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { WorkerPool } from '../core/worker-pool.ts'
import { idListOf, rowsByIds } from '../read/by-ids.ts'
import { comparedReading } from '../read/destination-lister.ts'
import { asStorefrontSees } from '../scope/storefront-scope.ts'

const written = new Set(['created', 'updated', 'matched'])
type Root = Awaited<ReturnType<typeof rootsWithoutChecksum>>[number]

/** While one page is compared and recorded, the next one is read. */
const pagesAtOnce = 2

/**
 * Reads what this run wrote, as the list shows it, and records the checksums by which the next run sees who changed
 * what (C2): responses to writes show an item in another form. One call per page, 0.4% of the writes. If the process
 * dies before that, the next run compares these items in full, as it does those that have lost a part meanwhile.
 */
export async function recordChecksums(context: RunContext, pass: Pass): Promise<void> {
  if (!pass.byIds || pass.createOnly || context.run.mode !== 'full') return
  const { limit } = comparedReading(pass, true)
  const scope = context.references.scope(pass.root)
  const pool = new WorkerPool({ slots: () => pagesAtOnce })
  try {
    for (let after = ''; ; ) {
      const roots = await rootsWithoutChecksum(context.database, context.pair, {
        runId: context.run.id,
        scope,
        component: pass.root,
        after,
        limit,
        // What `skip` finishes of an earlier run was not compared: the merchant may have edited it since.
        ownOnly: context.run.conflictStrategy === 'skip',
      })
      if (roots.length === 0) return
      after = roots.at(-1)?.sourceId ?? after
      await pool.start(() => recordPage(context, pass, roots))
    }
  } finally {
    await pool.drain()
  }
}

async function recordPage(context: RunContext, pass: Pass, roots: Root[]): Promise<void> {
  const { query, limit } = comparedReading(pass, true)
  const ids = roots.map((root) => root.destinationId)
  const rows = await rowsByIds(context, 'destination', { ...idListOf(pass), query, limit }, ids)
  const seen = await asStorefrontSees(context, 'destination', pass, rows)
  const copies = seen.map((item) => copyOf(context, pass.drafts(item, identity)))
  const changed = await copiesWithLostParts(context, pass, roots, seen, copies)
  const sums = copies
    .filter(({ destinationId }) => !changed.has(destinationId))
    .map(({ destinationId, checksum }) => ({ destinationId, checksum }))
  const scope = context.references.scope(pass.root)
  await context.recorder.record((tx) => saveDestinationChecksums(tx, context.pair, scope, pass.root, sums))
}

interface Copy {
  destinationId: string
  checksum: string
  /** Its parts, each as its component and id. */
  parts: string[]
}

/** The drafts of a whole page would take several times as much memory. */
function copyOf({ protection }: RunContext, copy: Draft): Copy {
  const parts = copy.children.map(({ component, id }) => `${component} ${id}`)
  return { destinationId: copy.id, checksum: protection.checksum(copy), parts }
}

/** Ids of copies that have already lost a part that this run wrote: their checksums would hide the loss. */
async function copiesWithLostParts(
  { database, pair, run, references }: RunContext,
  pass: Pass,
  roots: Root[],
  items: PlatformItem[],
  copies: Copy[],
): Promise<Set<string>> {
  const shown = componentsShown(items)
  if (shown.size === 0) return new Set()
  const ids = roots.map(({ sourceId }) => sourceId)
  const parts = (await statesOf(database, run.id, pass.key, ids)).filter(
    ({ component, state }) => written.has(state) && shown.has(component),
  )
  const requested = parts.map(({ component, sourceId }) => ({
    scope: references.scope(component),
    component,
    sourceId,
  }))
  const mappings = await mappingsOf(database, pair, requested)
  const present = new Set(copies.flatMap(({ parts }) => parts))
  const kept = new Set(
    mappings
      .filter(({ component, destinationId }) => present.has(`${component} ${destinationId}`))
      .map(({ component, sourceId }) => `${component} ${sourceId}`),
  )
  const rootsOfLost = new Set(
    parts.filter(({ component, sourceId }) => !kept.has(`${component} ${sourceId}`)).map(({ rootId }) => rootId),
  )
  return new Set(roots.filter(({ sourceId }) => rootsOfLost.has(sourceId)).map(({ destinationId }) => destinationId))
}

/** Components whose items are contained in rows of the list. */
function componentsShown([first]: PlatformItem[]): Set<string> {
  const components = entities.flatMap((entity) => entity.components)
  return new Set(
    components.filter(({ inlineAs }) => inlineAs && Array.isArray(first?.[inlineAs])).map(({ key }) => key),
  )
}
