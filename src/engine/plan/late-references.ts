import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { type LedgerRow, type LedgerState, statesOf } from '../../db/ledger/ledger.ts'
import { pendingOnOwnKind } from '../../db/ledger/mappings.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import { inScopeAtSource } from '../../db/runs/scope-items.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { MissingReference } from '../../entities/core/references.ts'
import { isReferenceTo, namedItems } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import type { Resolved } from '../core/references.ts'
import { readAgain } from '../read/source-reader.ts'
import { isStorefrontRun } from '../scope/partial-run.ts'
import { mappingsInScope } from '../scope/picks.ts'
import { brokenAmong } from './broken-references.ts'
import { resolveLate } from './left-roles.ts'

/** An item that was copied without another one of its pass, which exists by now. */
export interface LateCompletion {
  item: PlatformItem
  resolved: Resolved
  mapping: Mapping
  /** What failed on the item in the first pass, and is not tried again in the second. */
  states: Map<string, LedgerState>
}

/** Items per query. With more, URLs get longer when they are read again; with fewer, there are more queries. */
const pendingAtOnce = 50

/**
 * The second pass over items that refer to each other (C5): finds those that can be completed now. Mappings hold what
 * is pending (C1), and there is no other state: if a process dies, the next one finds here what it left pending, or
 * another run does when it plans the item.
 */
export async function* completableLate(context: RunContext, pass: Pass): AsyncGenerator<LateCompletion> {
  for await (const page of pendingPages(context, pass, ''))
    yield* await completionsOf(
      context,
      pass,
      await withCounterpart(context, pass, await awaitingOwn(context, pass, page)),
    )
}

/**
 * Warns about what is still missing after the second pass, once per item however often processes die: the warnings of a
 * page are committed together with the checkpoint.
 */
export async function warnLeftOut(
  context: RunContext,
  pass: Pass,
  issueOf: (draft: Draft, missing: string[], broken: ReadonlySet<string>) => IssueToWrite,
): Promise<void> {
  const key = `${pass.key}:late`
  const { position, finished } = await readCheckpoint(context.database, context.run.id, key)
  if (finished) return
  for await (const page of pendingPages(context, pass, position)) {
    // What only other storefronts have is left to their runs.
    const pending = (await completionsOf(context, pass, page))
      .map(({ resolved: { draft, missing }, mapping: { owed } }) => ({
        draft,
        missing: owed.filter((one) => isReferenceTo(one, pass.root) && missing.includes(one)),
      }))
      .filter(({ missing }) => missing.length > 0)
    const broken = await brokenAmong(
      context,
      namedItems(
        pending.flatMap(({ missing }) => missing),
        'reference',
      ),
    )
    const issues = pending.map(({ draft, missing }) => issueOf(draft, missing, broken))
    const at = { position: page.at(-1)?.sourceId ?? '', pages: 0, finished: false }
    await context.recorder.record(async (tx, tally) => {
      await saveIssues(tx, context.run, issues)
      tally.add(pass.root, 'warnings', issues.length)
      await writeCheckpoint(tx, context.run.id, key, at)
    })
  }
  await context.recorder.record((tx) =>
    writeCheckpoint(tx, context.run.id, key, { position: '', pages: 0, finished: true }),
  )
}

async function* pendingPages(context: RunContext, pass: Pass, from: string): AsyncGenerator<Mapping[]> {
  const of = { scope: context.references.scope(pass.root), component: pass.root, limit: pendingAtOnce }
  for (let after = from; ; ) {
    const page = await pendingOnOwnKind(context.database, context.pair, { ...of, after })
    const last = page.at(-1)
    if (!last) return
    after = last.sourceId
    const own = await mappingsInScope(context, pass, page)
    if (own.length > 0) yield own
  }
}

/** Of a storefront: without those that only wait for what other storefronts have, because only their runs see it (D3). */
async function awaitingOwn(context: RunContext, { root, sets = [] }: Pass, incomplete: Mapping[]): Promise<Mapping[]> {
  if (!isStorefrontRun(context) || !sets.some(({ of }) => of === root)) return incomplete
  const ids = incomplete.flatMap((one) => namedIn(root, one).map(({ sourceId }) => sourceId))
  const inScope = await inScopeAtSource(context.database, context.run.id, root, ids)
  return incomplete.filter((one) => namedIn(root, one).some(({ sourceId }) => inScope.has(sourceId)))
}

async function withCounterpart({ references }: RunContext, { root }: Pass, incomplete: Mapping[]): Promise<Mapping[]> {
  const there = await references.mappings(incomplete.flatMap((one) => namedIn(root, one)))
  return incomplete.filter((one) => namedIn(root, one).some(({ sourceId }) => there.has(`${root}:${sourceId}`)))
}

/** Items of its own kind that a copy waits for. */
function namedIn(root: string, { owed }: Mapping): { component: string; sourceId: string }[] {
  return namedItems(owed, 'reference').filter(({ component }) => component === root)
}

/** Leaves out items that the source no longer has, because what they refer to is not known. */
async function completionsOf(context: RunContext, pass: Pass, incomplete: Mapping[]): Promise<LateCompletion[]> {
  if (incomplete.length === 0) return []
  const ids = incomplete.map(({ sourceId }) => sourceId)
  const items = await readAgain(context, pass, ids)
  const resolved = await resolveLate(context, pass, items)
  const states = await statesOf(context.database, context.run.id, pass.key, ids)
  const failed = states.filter(({ state }) => state === 'failed')
  const bySource = new Map(incomplete.map((mapping) => [mapping.sourceId, mapping]))
  return items.flatMap((item, at) => {
    const one = resolved[at]
    const mapping = one && !(one instanceof MissingReference) ? bySource.get(one.draft.id) : undefined
    if (!one || one instanceof MissingReference || !mapping) return []
    const own = failed.filter((row) => row.rootId === one.draft.id)
    return [{ item, resolved: one, mapping, states: new Map(own.map((row) => [ledgerKeyOf(row), row.state])) }]
  })
}

function ledgerKeyOf({ component, sourceId }: LedgerRow): string {
  return `${component}/${sourceId}`
}
