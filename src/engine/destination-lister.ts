import { cursorPages, keysetPages, offsetPages } from '../bigcommerce/pages.ts'
import { readCheckpoint, writeCheckpoint } from '../db/checkpoints.ts'
import { type ListedItem, saveListed } from '../db/destination-items.ts'
import { type Draft, identity, type Pass, type PlatformItem } from '../entities/define.ts'
import type { RunContext } from './context.ts'

/** Lists what stands at the destination once per pass and run, with the largest pages: keys to match by (B6, C2). */
export async function listDestination(context: RunContext, pass: Pass): Promise<void> {
  const key = `${pass.key}:destination`
  if ((await readCheckpoint(context.database, context.run.id, key)).finished) return
  for await (const items of destinationPages(context, pass)) {
    const listed = items.map((item) => listedItem(context, pass, item))
    await context.recorder.record((tx) => saveListed(tx, context.run.id, pass.root, listed))
  }
  await context.recorder.record((tx) =>
    writeCheckpoint(tx, context.run.id, key, { position: '', pages: 0, finished: true }),
  )
}

function listedItem(context: RunContext, pass: Pass, item: PlatformItem): ListedItem {
  const draft = pass.drafts(item, identity)
  const compared = context.run.mode === 'verify' && pass.destination.complete
  return {
    destinationId: draft.id,
    keys: context.protection.keys(draft),
    body: compared ? comparable(context, draft) : named(context, draft),
  }
}

/** What verify compares with; children are not listed this way. */
export interface ListedBody {
  item: { name: string | null; sku: string | null; path: string | null }
  compare?: PlatformItem
}

function named(context: RunContext, draft: Draft): ListedBody {
  return { item: context.protection.item(draft) }
}

function comparable(context: RunContext, draft: Draft): ListedBody {
  return { ...named(context, draft), compare: context.protection.compare(draft.component, draft.compare) }
}

async function* destinationPages(context: RunContext, pass: Pass): AsyncGenerator<PlatformItem[]> {
  const { path, query, limit, kind, idField } = pass.destination
  const options = { limit, signal: context.lease.stop }
  const pages =
    kind === 'keyset'
      ? keysetPages<PlatformItem>(context.destination, path, query, { ...options, idField })
      : kind === 'cursor'
        ? cursorPages<PlatformItem>(context.destination, path, query, options)
        : offsetPages<PlatformItem>(context.destination, path, query, options)
  for await (const page of pages) yield page.items
}
