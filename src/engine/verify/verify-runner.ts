import type { InTransaction } from '../../db/core/database.ts'
import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { setExpected, type Tally } from '../../db/ledger/counters.ts'
import { listedItems, lookUpKeys, markSeen, unseenItems } from '../../db/ledger/destination-items.ts'
import { type DifferenceToWrite, saveDifferences } from '../../db/ledger/differences.ts'
import { saveIssues } from '../../db/ledger/issues.ts'
import { recordPage } from '../../db/ledger/ledger.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { identity, MissingReference } from '../../entities/core/references.ts'
import { componentOf } from '../../entities/registry.ts'
import type { RunContext } from '../context/context.ts'
import { everyDraft, type FieldDifference, fieldDifferences, pairUp } from '../core/pairing.ts'
import { leftToOthers, ownersLeft } from '../plan/left-to-others.ts'
import { type ListedBody, listDestination } from '../read/destination-lister.ts'
import { sourceChanged } from '../read/source-changed.ts'
import { itemsByIds, type SourcePage, sourcePages } from '../read/source-reader.ts'
import { endGonePicks } from '../scope/picks.ts'
import { markDraftsInScope, withinPart } from '../scope/run-part.ts'

/** What one source item and its counterpart came to, component by component. */
interface Comparison {
  matched: Draft[]
  differing: Draft[]
  differences: DifferenceToWrite[]
  destinationId: string | null
}

const extrasAtOnce = 200

/**
 * Compares one pass field by field and writes nothing to either store (F1). Each difference is read again once on both
 * sides, so that a change made meanwhile is told apart from a fault of the copy.
 */
export class VerifyRunner {
  private readonly context: RunContext
  private readonly entity: Entity
  private readonly pass: Pass

  constructor(context: RunContext, entity: Entity, pass: Pass) {
    this.context = context
    this.entity = entity
    this.pass = pass
  }

  async run(): Promise<void> {
    const { context, pass } = this
    await listDestination(context, pass, { compares: pass.destination.complete })
    const checkpoint = await readCheckpoint(context.database, context.run.id, pass.key)
    let { pages, position } = checkpoint
    if (!checkpoint.finished)
      for await (const page of this.sourcePages(position)) {
        position = page.position
        pages++
        await this.comparePage(page.items, { number: pages, position, total: page.total })
      }
    await this.reportExtras()
    await context.recorder.record((tx) =>
      writeCheckpoint(tx, context.run.id, pass.key, { position, pages, finished: true }),
    )
  }

  private sourcePages(position: string): AsyncGenerator<SourcePage> {
    const { context, entity, pass } = this
    const gone = (ids: string[]) => endGonePicks(context, entity, pass, ids)
    return sourcePages(context, pass, position, (missing) => this.warnShort(missing), gone)
  }

  private warnShort(missing: number): Promise<void> {
    const { context, entity, pass } = this
    return context.recorder.record(async (tx, tally) => {
      await saveIssues(tx, context.run, [sourceChanged(entity, pass.root, missing)])
      tally.add(pass.root, 'warnings')
    })
  }

  private async comparePage(
    items: PlatformItem[],
    page: { number: number; position: string; total: number | null },
  ): Promise<void> {
    const { context, pass } = this
    const first = await this.compare(items)
    const suspicious = items.filter((_item, at) => (first[at]?.differences.length ?? 0) > 0)
    const again =
      suspicious.length > 0 && pass.byIds ? await this.compareAgain(suspicious) : new Map<string, Comparison>()
    const final = first.map((comparison, at) =>
      this.settle(comparison, again.get(String(items[at]?.[pass.source.idField]))),
    )
    await context.recorder.record(async (tx, tally) => {
      await this.count(tx, tally, final, page.number, items)
      await saveDifferences(
        tx,
        context.run,
        final.flatMap((comparison) => comparison.differences),
      )
      await markSeen(
        tx,
        context.run.id,
        pass.root,
        final.flatMap((comparison) => comparison.destinationId ?? []),
      )
      if (page.total !== null) await setExpected(tx, context.run.id, pass.root, page.total)
      await writeCheckpoint(tx, context.run.id, pass.key, {
        position: page.position,
        pages: page.number,
        finished: false,
      })
    })
  }

  private async compareAgain(items: PlatformItem[]): Promise<Map<string, Comparison>> {
    const { context, pass } = this
    const ids = items.map((item) => String(item[pass.source.idField]))
    const fresh = await itemsByIds(context, 'source', pass, ids)
    const comparisons = await this.compare(fresh)
    return new Map(fresh.map((item, at) => [String(item[pass.source.idField]), comparisons[at] as Comparison]))
  }

  /** The second look decides; what differs now in another way than before changed while we compared. */
  private settle(first: Comparison, again: Comparison | undefined): Comparison {
    if (!again) return first
    const before = new Set(first.differences.map((difference) => JSON.stringify(difference)))
    const differences = again.differences.map((difference) => ({
      ...difference,
      changedMeanwhile: !before.has(JSON.stringify(difference)),
    }))
    return { ...again, differences }
  }

  private async count(
    tx: InTransaction,
    tally: Tally,
    comparisons: Comparison[],
    number: number,
    items: PlatformItem[],
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
      // Exists and differs, or is missing: left alone, and told as a difference.
      for (const draft of differing) add(draft, 'skipped')
    }
    const idOf = (item: PlatformItem | undefined) => String(item?.[this.pass.source.idField] ?? '')
    await recordPage(tx, this.context.run.id, { number, firstId: idOf(items[0]), lastId: idOf(items.at(-1)) }, counts)
  }

  private async compare(items: PlatformItem[]): Promise<Comparison[]> {
    const { context, pass } = this
    const found = await context.references.resolve(pass, items)
    const resolved = await leftToOthers(context, pass, items, found)
    await markDraftsInScope(
      context,
      'source',
      resolved.map((one, at) => (one instanceof MissingReference ? this.readable(items[at] ?? {}) : one.draft)),
    )
    const counterparts = await this.counterparts(
      resolved.flatMap((one) => (one instanceof MissingReference ? [] : [one.draft])),
    )
    const left = await ownersLeft(context, pass, resolved)
    return items.map((item, at) => {
      const one = resolved[at]
      if (one instanceof MissingReference && left.has(one.sourceId)) return this.notCompared(this.readable(item), null)
      if (!one || one instanceof MissingReference) return this.absent(this.readable(item))
      const counterpart = counterparts.get(one.draft.id)
      if (one.leftToOthers) return this.notCompared(one.draft, counterpart?.destinationId ?? null)
      if (!counterpart) return this.absent(one.draft)
      return counterpart.existing
        ? this.compareTrees(one.draft, counterpart.existing)
        : this.compareListed(one.draft, counterpart)
    })
  }

  /** An item that refers to something the destination lacks cannot have a counterpart; it is told by its own ids. */
  private readable(item: PlatformItem): Draft {
    return this.pass.drafts(item, identity)
  }

  private async counterparts(
    drafts: Draft[],
  ): Promise<Map<string, { destinationId: string; body: ListedBody; existing: Draft | null }>> {
    const ids = await this.destinationIds(drafts)
    const listed = await listedItems(this.context.database, this.context.run.id, this.pass.root, [...ids.values()])
    const existing = await this.existing([...ids.values()].filter((id) => listed.has(id)))
    const found = new Map<string, { destinationId: string; body: ListedBody; existing: Draft | null }>()
    for (const [sourceId, destinationId] of ids) {
      if (!listed.has(destinationId) || (this.pass.byIds && !existing.has(destinationId))) continue
      found.set(sourceId, {
        destinationId,
        body: listed.get(destinationId) as ListedBody,
        existing: existing.get(destinationId) ?? null,
      })
    }
    return found
  }

  private async existing(ids: string[]): Promise<Map<string, Draft>> {
    if (!this.pass.byIds) return new Map()
    const items = await itemsByIds(this.context, 'destination', this.pass, ids)
    return new Map(items.map((item) => this.pass.drafts(item, identity)).map((draft) => [draft.id, draft]))
  }

  /** By mapping, else by natural key: stores copied by other means can be verified too. */
  private async destinationIds(drafts: Draft[]): Promise<Map<string, string>> {
    const { context, pass } = this
    const mappings = await context.references.mappings(
      drafts.map((draft) => ({ component: pass.root, sourceId: draft.id })),
    )
    const unmapped = drafts.filter((draft) => !mappings.has(`${pass.root}:${draft.id}`))
    const keys = await lookUpKeys(
      context.database,
      context.run.id,
      pass.root,
      unmapped.flatMap((draft) => context.protection.keys(draft)),
    )
    const ids = new Map([...mappings.values()].map((mapping) => [mapping.sourceId, mapping.destinationId]))
    for (const draft of unmapped) {
      const hit = context.protection.keys(draft).flatMap((key) => keys.get(key) ?? [])[0]
      if (hit) ids.set(draft.id, hit)
    }
    return ids
  }

  /** The run has no say about it. */
  private notCompared(draft: Draft, destinationId: string | null): Comparison {
    return { matched: [], differing: [...everyDraft(draft)], differences: [], destinationId }
  }

  private absent(draft: Draft): Comparison {
    // It stands with what it belongs to: where that is missing, that is what is told.
    if (componentOf(draft.component).setOnNew) return this.notCompared(draft, null)
    return {
      matched: [],
      differing: [...everyDraft(draft)],
      differences: [this.difference('missing', draft, '')],
      destinationId: null,
    }
  }

  private compareListed(desired: Draft, counterpart: { destinationId: string; body: ListedBody }): Comparison {
    const compare = this.context.protection.compare(desired.component, desired.compare)
    const fields = fieldDifferences(compare, counterpart.body.compare ?? {})
    return this.verdict(desired, counterpart.destinationId, fields)
  }

  private compareTrees(desired: Draft, existing: Draft): Comparison {
    const result = this.verdict(desired, existing.id, fieldDifferences(desired.compare, existing.compare))
    const { pairs, extra } = pairUp(desired.children, existing.children)
    for (const pair of pairs) {
      const child = pair.existing ? this.compareTrees(pair.desired, pair.existing) : this.absent(pair.desired)
      result.matched.push(...child.matched)
      result.differing.push(...child.differing)
      result.differences.push(...child.differences)
    }
    result.differences.push(...extra.map((draft) => this.difference('extra', draft, draft.id)))
    return result
  }

  private verdict(desired: Draft, destinationId: string, fields: FieldDifference[]): Comparison {
    const { destinationOwned: living } = componentOf(desired.component)
    const hurting = fields.filter((field) => !living.includes(field.path))
    const differences: DifferenceToWrite[] = []
    if (fields.length > 0)
      differences.push({
        ...this.difference('different', desired, destinationId),
        fields: fields.map((field) => this.describeField(desired, field)),
        living: hurting.length === 0,
      })
    return {
      matched: hurting.length === 0 ? [desired] : [],
      differing: hurting.length === 0 ? [] : [desired],
      differences,
      destinationId,
    }
  }

  private describeField(draft: Draft, field: FieldDifference) {
    return this.context.protection.open(draft.component) ? field : { path: field.path }
  }

  private difference(kind: DifferenceToWrite['kind'], draft: Draft, destinationId: string): DifferenceToWrite {
    const item = this.context.protection.item(draft)
    const sourceId = kind === 'extra' ? '' : draft.id
    return {
      phase: this.entity.key,
      component: draft.component,
      kind,
      sourceId,
      destinationId,
      item,
      fields: [],
      living: false,
      changedMeanwhile: false,
    }
  }

  private async reportExtras(): Promise<void> {
    const { context, pass } = this
    // The destination's own are nobody's difference; a second copy of what is copied once is one.
    const twins = pass.lookupOnly === true
    if (twins && !pass.createOnly) return
    for (let after = ''; ; ) {
      const ids = await unseenItems(context.database, context.run.id, pass.root, { after, limit: extrasAtOnce, twins })
      if (ids.length === 0) return
      after = ids.at(-1) ?? after
      const listed = await listedItems(context.database, context.run.id, pass.root, ids)
      const there = ids.map((id) => ({ id, parentId: (listed.get(id) as ListedBody).parentId }))
      const differences = (await withinPart(context, pass, there)).map(
        ({ id }): DifferenceToWrite => ({
          phase: this.entity.key,
          component: pass.root,
          kind: 'extra',
          sourceId: '',
          destinationId: id,
          item: (listed.get(id) as ListedBody).item,
          fields: [],
          living: false,
          changedMeanwhile: false,
        }),
      )
      await context.recorder.record((tx) => saveDifferences(tx, context.run, differences))
    }
  }
}
