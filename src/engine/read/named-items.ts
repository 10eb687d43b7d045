import { readCheckpoint } from '../../db/ledger/checkpoints.ts'
import { hasNamed, namedAmong, saveNamed } from '../../db/ledger/named-items.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { entities } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { inScopeThere } from '../scope/partial-run.ts'

type Side = 'source' | 'destination'

/** Passes with lists that an item has only if another pass refers to it. */
const readers = entities
  .flatMap(({ passes }) => passes)
  .flatMap((pass) => (pass.details ?? []).flatMap(({ namedBy }) => (namedBy ? [{ pass: pass.key, ...namedBy }] : [])))

/** Remembers which items those just read refer to, for the passes that read lists of these alone. */
export async function noteNamed(context: RunContext, side: Side, pass: Pass, items: PlatformItem[]): Promise<void> {
  // A run over picks does not use them.
  if (context.run.selective) return
  for (const reader of readers.filter(({ by }) => by === pass.key)) {
    const ids = items.flatMap((item) => (item[reader.field] as unknown[] | undefined) ?? []).map(String)
    const named = { runId: context.run.id, side, pass: reader.pass }
    if (ids.length > 0) await context.recorder.record((tx) => saveNamed(tx, named, ids))
  }
}

/**
 * Which items of a list may have lists of their own: those that the other pass refers to, or all if that pass has not
 * read everything in this run. In a run over picks nothing is noted, so it is the picked items and their copies.
 */
export async function mayHaveLists(
  context: RunContext,
  side: Side,
  pass: Pass,
  ids: string[],
): Promise<ReadonlySet<string>> {
  const by = readers.find((reader) => reader.pass === pass.key)?.by
  if (by === undefined || ids.length === 0) return new Set(ids)
  const { database, run } = context
  if (run.selective) {
    if (side === 'source' || pass.below === undefined) return new Set(ids)
    return inScopeThere(context, pass.below, ids, { neededToo: false })
  }
  const named = { runId: run.id, side, pass: pass.key }
  const { finished } = await readCheckpoint(database, run.id, side === 'source' ? by : `${by}:destination`)
  const known = finished && (await hasNamed(database, named))
  return known ? namedAmong(database, named, ids) : new Set(ids)
}
