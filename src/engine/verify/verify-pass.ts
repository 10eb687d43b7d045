import type { InTransaction } from '../../db/core/database.ts'
import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { setExpected, type Tally } from '../../db/ledger/counters.ts'
import { listedItems, markSeen, unseenItems } from '../../db/ledger/destination-items.ts'
import { type DifferenceToWrite, saveDifferences } from '../../db/ledger/differences.ts'
import { saveIssues } from '../../db/ledger/issues.ts'
import { recordPage } from '../../db/ledger/ledger.ts'
import { claimsOf, saveMappings } from '../../db/ledger/mappings.ts'
import { waitingForOthers } from '../../db/ledger/simulated-mappings.ts'
import type { Side } from '../../db/runs/scope-items.ts'
import { type Draft, isLeftOut, type PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity, MissingReference } from '../../entities/core/references.ts'
import { componentOf, passOf } from '../../entities/registry.ts'
import { isReferenceTo } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import { readingList } from '../core/refusals.ts'
import { keepBrokenCopies } from '../plan/broken-copies.ts'
import { describeUnread } from '../plan/decide.ts'
import { leftToOthers, ownersLeft } from '../plan/left-to-others.ts'
import { notCopied } from '../plan/plan-issues.ts'
import { recordIssues } from '../plan/record-plan.ts'
import { askFor, readNow, singleReading } from '../read/by-ids.ts'
import { type ListedBody, listDestination } from '../read/destination-lister.ts'
import { redirectsMade } from '../read/made-redirects.ts'
import { sourceChanged } from '../read/source-changed.ts'
import type { SourcePage } from '../read/source-page.ts'
import { sourcePages } from '../read/source-reader.ts'
import { refreshListed } from '../read/unlisted.ts'
import { itemsOfPass } from '../read/whole-items.ts'
import { isPartialRun, markDraftsInScope, withinScope } from '../scope/partial-run.ts'
import { needed } from '../scope/picked-scope.ts'
import { endGonePicks, namedOutside } from '../scope/picks.ts'
import { absent, type Comparison, compareListed, compareTrees, notCompared, secondLook } from './comparison.ts'
import { counterpartsOf } from './counterparts.ts'
import { withoutGone } from './gone-children.ts'
import { keepShared } from './kept-extras.ts'
import { nameReferences } from './name-references.ts'
import { type Compared, childrenToSave, pairOnly, pairsToSave } from './pairs.ts'

interface VerifiedPass {
  context: RunContext
  entity: Entity
  pass: Pass
}

/**
 * Compares one pass field by field and writes nothing to either store (F1). Items that differ are read once more in
 * both stores, to tell a change made meanwhile from a fault of the copy.
 */
export async function verifyPass(context: RunContext, entity: Entity, pass: Pass): Promise<void> {
  const verified = { context, entity, pass }
  await readingList(context, 'destination', pass.destination.path, () =>
    listDestination(context, pass, {
      compares: pass.destination.complete,
      onIncomplete: (missing) => warnIncomplete(verified, missing, 'destination'),
    }),
  )
  for await (const ids of needed(context, pass)) await pairOnly(context, pass, ids)
  const checkpoint = await readCheckpoint(context.database, context.run.id, pass.key)
  let { pages, position } = checkpoint
  await readingList(context, 'source', pass.source.path, async () => {
    for await (const page of checkpoint.finished ? [] : pagesFrom(verified, position)) {
      position = page.position
      pages++
      await comparePage(verified, page.items, { number: pages, position, total: page.total, mayWait: true })
    }
  })
  pages = await compareWaiting(verified, { pages, position })
  pages = await reportExtras(verified, { pages, position })
  await context.recorder.record((tx) =>
    writeCheckpoint(tx, context.run.id, pass.key, { position, pages, finished: true }),
  )
}

function pagesFrom(verified: VerifiedPass, position: string): AsyncGenerator<SourcePage> {
  const { context, entity, pass } = verified
  return sourcePages(context, pass, position, {
    onIncomplete: (missing) => warnIncomplete(verified, missing, 'source'),
    onGone: (ids) => endGonePicks(context, entity, pass, ids),
  })
}

function warnIncomplete({ context, entity, pass }: VerifiedPass, missing: number, store: Side): Promise<void> {
  const issue = sourceChanged(entity, pass.root, missing, store)
  return context.recorder.record((tx, tally) => recordIssues(tx, tally, context, [issue]))
}

/** @param mayWait leaves items that refer to others of their component for later; those may be paired by then */
async function comparePage(
  verified: VerifiedPass,
  items: PlatformItem[],
  { number, position, total, mayWait }: { number: number; position: string; total: number | null; mayWait: boolean },
): Promise<void> {
  const { context, pass } = verified
  const { run } = context
  const compared = await compareItems(verified, items)
  const first = compared.map(({ comparison, waitsFor }) =>
    mayWait && waitsFor.length > 0 ? { ...comparison, matched: [], differing: [], differences: [] } : comparison,
  )
  const waiting = compared.flatMap(({ waitsFor }) => waitsFor)
  if (mayWait) await pairOnly(context, pass, await namedOutside(context, pass, waiting))
  const ofAdopted = await childrenToSave(context, compared)
  const pairs = [...compared.flatMap((one) => pairsToSave(context, pass, one, { mayWait })), ...ofAdopted]
  // Before the second look, which would pair items of one key differently.
  if (pairs.length > 0) await context.recorder.record((tx) => saveMappings(tx, context.pair, pairs))
  const suspicious = items.filter((_item, at) => (first[at]?.differences.length ?? 0) > 0)
  const again = suspicious.length > 0 ? await compareAgain(verified, suspicious, first) : null
  const final = first.map((comparison, at) =>
    again && comparison.differences.length > 0 ? secondLook(comparison, again.get(idOf(pass, items[at]))) : comparison,
  )
  const differences = await keepShared(
    context,
    final.flatMap((comparison) => comparison.differences),
  )
  const seen = final.flatMap((comparison) => comparison.destinationId ?? [])
  await context.recorder.record(async (tx, tally) => {
    await recordCounts(verified, final, { tx, tally, number, items })
    await saveDifferences(tx, run, differences)
    await markSeen(tx, run.id, pass.root, seen)
    if (total !== null) await setExpected(tx, run.id, pass.root, total)
    await writeCheckpoint(tx, run.id, pass.key, { position, pages: number, finished: false })
  })
}

const waitingAtOnce = 200

/** Compares the items that waited, now that all others of their component are paired. */
async function compareWaiting(
  verified: VerifiedPass,
  { pages, position }: { pages: number; position: string },
): Promise<number> {
  const { context, pass } = verified
  const { database, references, run } = context
  const of = { scope: references.scope(pass.root), component: pass.root, limit: waitingAtOnce }
  let compared = pages
  for (let after = ''; ; ) {
    const ids = await waitingForOthers(database, run.id, { ...of, after })
    if (ids.length === 0) return compared
    after = ids.at(-1) ?? after
    const items = await readNow(context, 'source', pass, ids)
    if (items.length === 0) continue
    await comparePage(verified, items, { number: ++compared, position, total: null, mayWait: false })
  }
}

function idOf({ source }: Pass, item: PlatformItem | undefined): string {
  return String(item?.[source.idField] ?? '')
}

/** @returns the comparisons of the items that the source still has; null if they cannot be compared again */
async function compareAgain(
  verified: VerifiedPass,
  items: PlatformItem[],
  first: Comparison[],
): Promise<Map<string, Comparison> | null> {
  const { context, pass } = verified
  const ids = items.map((item) => idOf(pass, item))
  if (!pass.byIds && !(await refreshCounterparts(verified, ids, first))) return null
  const fresh = await readNow(context, 'source', pass, ids)
  const comparisons = await compareItems(verified, fresh)
  // There is one comparison for each item.
  return new Map(fresh.map((item, at) => [idOf(pass, item), (comparisons[at] as Compared).comparison]))
}

/** Destination ids of the copies of items, by source id. */
async function copiesOf(
  { context, pass }: Pick<VerifiedPass, 'context' | 'pass'>,
  sourceIds: string[],
): Promise<Map<string, string>> {
  const mapped = await context.references.mappings(sourceIds.map((sourceId) => ({ component: pass.root, sourceId })))
  return new Map([...mapped.values()].map(({ sourceId, destinationId }) => [sourceId, destinationId]))
}

/**
 * Items with `byIds` are read by id for each comparison, once they are known to exist; others are compared with what the
 * list showed, so that is read again.
 */
async function refreshCounterparts(verified: VerifiedPass, sourceIds: string[], first: Comparison[]): Promise<boolean> {
  const { context, pass } = verified
  const differing = first.flatMap(({ differences, destinationId }) =>
    differences.length > 0 ? (destinationId ?? []) : [],
  )
  const ids = new Set([...differing, ...(await copiesOf(verified, sourceIds)).values()])
  return refreshListed(context, pass, [...ids], { compares: pass.destination.complete })
}

async function recordCounts(
  { context, pass }: VerifiedPass,
  comparisons: Comparison[],
  { tx, tally, number, items }: { tx: InTransaction; tally: Tally; number: number; items: PlatformItem[] },
): Promise<void> {
  const counts = new Map<string, { matched: number; skipped: number }>()
  const add = (draft: Draft, state: 'matched' | 'skipped') => {
    const count = counts.get(draft.component) ?? { matched: 0, skipped: 0 }
    count[state]++
    counts.set(draft.component, count)
    tally.add(draft.component, 'discovered')
    tally.add(draft.component, state)
  }
  for (const { matched, differing } of comparisons) {
    for (const draft of matched) add(draft, 'matched')
    // What differs or is missing is left as it is and reported as a difference.
    for (const draft of differing) add(draft, 'skipped')
  }
  const page = { number, firstId: idOf(pass, items[0]), lastId: idOf(pass, items.at(-1)) }
  await recordPage(tx, context.run.id, page, counts)
}

async function compareItems({ context, entity, pass }: VerifiedPass, items: PlatformItem[]): Promise<Compared[]> {
  const described = { phase: entity.key, protection: context.protection }
  // An item that refers to something the destination lacks cannot have a counterpart; it is reported with its own ids.
  const readable = (item: PlatformItem) => pass.drafts(item, identity)
  const found = await context.references.resolve(pass, items)
  const own = await leftToOthers(context, pass, items, found)
  const resolved = await keepBrokenCopies(context, pass, items, own, {
    compares: pass.destination.complete,
    writes: false,
  })
  const drafts = resolved.map((one, at) => (one instanceof MissingReference ? readable(items[at] ?? {}) : one.draft))
  await markDraftsInScope(context, 'source', drafts)
  const comparable = resolved.flatMap((one) => (one instanceof MissingReference ? [] : [one.draft]))
  const counterparts = await counterpartsOf(context, pass, comparable)
  const compared = await withoutGone(context, pass, comparable, counterparts)
  const left = await ownersLeft(context, pass, resolved)
  const erased = await erasedAmong(context, pass, comparable)
  const unresolved = items.filter((_item, at) => resolved[at] instanceof MissingReference)
  const copies = await copiesOf(
    { context, pass },
    unresolved.map((item) => idOf(pass, item)),
  )
  const comparisons = items.map((item, at) => {
    const one = resolved[at]
    if (one instanceof MissingReference && left.has(one.sourceId)) return notCompared(readable(item), null)
    // Its copy may still be there, and belongs to it.
    if (!one || one instanceof MissingReference)
      return { ...absent(described, readable(item), one?.erased), destinationId: copies.get(idOf(pass, item)) ?? null }
    const counterpart = counterparts.get(one.draft.id)
    if (one.leftToOthers || one.draft.unread || counterpart?.body.unread || (counterpart && isLeftOut(one.draft)))
      return notCompared(one.draft, counterpart?.destinationId ?? null)
    if (!counterpart) return absent(described, one.draft, erased.has(one.draft.id))
    return counterpart.existing
      ? compareTrees(described, compared.get(one.draft.id) ?? one.draft, counterpart.existing)
      : compareListed(described, one.draft, counterpart)
  })
  await nameReferences(
    context,
    pass,
    comparisons.map((comparison, at) => ({ comparison, item: items[at] ?? {} })),
  )
  await warnUnread({ context, entity, pass }, comparable, counterparts)
  return comparisons.map((comparison, at) => {
    const one = resolved[at]
    const draft = one && !(one instanceof MissingReference) ? one : undefined
    const missing = draft?.missing.filter((reference) => isReferenceTo(reference, pass.root)) ?? []
    // Without a counterpart there is nothing to wait for.
    const waitsFor = comparison.pairs.length > 0 ? missing : []
    return { comparison, counterpart: draft && counterparts.get(draft.draft.id), waitsFor }
  })
}

/**
 * Warns of items that cannot be compared, because one of the stores did not show their content or the destination has
 * no place for it.
 */
async function warnUnread(
  verified: VerifiedPass,
  drafts: Draft[],
  counterparts: ReadonlyMap<string, { body: ListedBody }>,
): Promise<void> {
  const { context, pass } = verified
  const issues = drafts.flatMap((one) => {
    const counterpart = counterparts.get(one.id)
    const unreadThere = counterpart?.body.unread
    const isUnread = one.unread || (counterpart && isLeftOut(one))
    const cause = isUnread ? one.uncreatable : unreadThere && describeUnread(unreadThere)
    return cause ? [notCopied(verified, one, cause)] : []
  })
  if (issues.length === 0) return
  await context.recorder.record(async (tx, tally) => {
    const news = await saveIssues(tx, context.run, issues)
    tally.add(pass.root, 'warnings', news.length)
  })
}

/** Source ids of items that were copied before and that no run creates again once they are gone (G12). */
async function erasedAmong({ references }: RunContext, { root }: Pass, drafts: Draft[]): Promise<Set<string>> {
  if (!componentOf(root).staysErased) return new Set()
  const copies = await references.mappings(drafts.map(({ id }) => ({ component: root, sourceId: id })))
  return new Set([...copies.values()].map(({ sourceId }) => sourceId))
}

const extrasAtOnce = 200

/** @returns how many pages were compared in all */
async function reportExtras(
  verified: VerifiedPass,
  { pages, position }: { pages: number; position: string },
): Promise<number> {
  const { context, entity, pass } = verified
  const { database, run } = context
  let compared = pages
  // In a pass that is only looked up, an extra item is not a difference, but a second copy of something copied only
  // once is.
  const twins = pass.lookupOnly === true
  if (twins && !pass.createOnly) return compared
  const made = await redirectsMade(context, pass)
  for (let after = ''; ; ) {
    const ids = await unseenItems(database, run.id, pass.root, { after, limit: extrasAtOnce, twins })
    if (ids.length === 0) return compared
    after = ids.at(-1) ?? after
    const unlisted = await unlistedAtSource(verified, ids, made)
    if (unlisted.items.length > 0)
      await comparePage(verified, unlisted.items, { number: ++compared, position, total: null, mayWait: false })
    const listed = await listedItems(database, run.id, pass.root, ids)
    // `listDestination` saved them.
    const bodyOf = (id: string) => listed.get(id) as ListedBody
    const existing = await stillThere(context, pass, ids)
    const there = ids
      .filter((id) => existing.has(id) && !unlisted.copies.has(id) && !made.has(id) && !bodyOf(id).unread)
      .map((id) => ({ id, parentId: bodyOf(id).parentId }))
    const extras = await ofCopies(context, pass, await withinScope(context, pass, there))
    const differences = await keepShared(
      context,
      extras.map(({ id }) => extraOf(entity, pass, id, bodyOf(id))),
    )
    await context.recorder.record((tx) => saveDifferences(tx, run, differences))
  }
}

/** What belongs to items of which the destination's own are no difference (orders) is none either, except below copies. */
async function ofCopies<Extra extends { parentId: string | undefined }>(
  { database, pair, references }: RunContext,
  { below }: Pass,
  extras: Extra[],
): Promise<Extra[]> {
  if (below === undefined || passOf(below)?.lookupOnly !== true) return extras
  const owners = [...new Set(extras.flatMap(({ parentId }) => parentId ?? []))]
  const copies = await claimsOf(database, pair, references.scope(below), below, owners)
  return extras.filter(({ parentId }) => parentId !== undefined && copies.has(parentId))
}

/**
 * Finds copies whose source items exist although their list did not show them (G1). A partial run leaves out others on
 * purpose, so it does not look.
 *
 * @param made redirects that runs made
 */
async function unlistedAtSource(
  { context, pass }: VerifiedPass,
  destinationIds: string[],
  made: ReadonlySet<string>,
): Promise<{ items: PlatformItem[]; copies: Set<string> }> {
  const { database, pair, references, run } = context
  if (isPartialRun(context)) return { items: [], copies: new Set() }
  const known = await claimsOf(database, pair, references.scope(pass.root), pass.root, destinationIds)
  const claims = new Map([...known].filter(([id]) => !made.has(id)))
  const reading = singleReading('source', pass, true)
  const asked = claims.size > 0 ? await askFor(context, 'source', pass, reading, [...claims.values()]) : []
  const whole = await itemsOfPass(context, 'source', pass, asked ?? [])
  const items = whole.filter((item) => pass.isRequested?.(item, run) ?? true)
  const found = new Set(items.map((item) => idOf(pass, item)))
  return { items, copies: new Set(destinationIds.filter((id) => found.has(claims.get(id) ?? ''))) }
}

/** Extra items are read again, too (F1): one may have been deleted since it was listed. */
async function stillThere(context: RunContext, pass: Pass, ids: string[]): Promise<Set<string>> {
  const asked = await askFor(context, 'destination', pass, singleReading('destination', pass, false), ids)
  return new Set(asked ? asked.map((item) => String(item[pass.destination.idField])) : ids)
}

function extraOf(
  { key }: Entity,
  { root }: Pass,
  destinationId: string,
  { item, spared, byShoppers, hiddenFromOthers }: ListedBody,
): DifferenceToWrite {
  return {
    phase: key,
    component: root,
    kind: 'extra',
    sourceId: '',
    destinationId,
    item,
    fields: [],
    living: false,
    changedMeanwhile: false,
    kept: spared === true || byShoppers === true || hiddenFromOthers === true,
  }
}
