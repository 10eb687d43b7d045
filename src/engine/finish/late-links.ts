import { findMovedState, noteFollowed, withoutLastSlash } from '../../db/addresses/moved-addresses.ts'
import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { saveIssues } from '../../db/ledger/issues.ts'
import { statesOf } from '../../db/ledger/ledger.ts'
import { pendingMappings } from '../../db/ledger/mappings.ts'
import type { Mapping } from '../../db/ledger/store-pair.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { MissingReference } from '../../entities/core/references.ts'
import { entities } from '../../entities/registry.ts'
import { type LinkedStorefront, pageOn } from '../../model/links/link-targets.ts'
import { rewriteJson } from '../../model/links/rewrite-text.ts'
import { formatPending, linkPrefix, namedItems } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import { completeLinks } from '../pass/complete-late.ts'
import type { LateCompletion } from '../plan/late-references.ts'
import { resolveLate } from '../plan/left-roles.ts'
import { describeUnresolved, reportRewritten } from '../plan/link-issues.ts'
import { linkIssue } from '../plan/plan-issues.ts'
import { plainPages } from '../read/pages.ts'
import { unlessRefused } from '../read/refused-list.ts'
import { readAgain } from '../read/source-reader.ts'
import { isPartialRun } from '../scope/partial-run.ts'
import { mappingsInScope } from '../scope/picks.ts'

/** Items handled at a time, as for other late references. */
const pendingAtOnce = 50
/** Items per page when only texts are read: the platform's maximum. */
const textsPage = 250

/**
 * Corrects links once everything is copied: in texts that were written before the targets of their links, and in texts
 * that link to pages which got another path (decision 0016). Pending links are in mappings and moved pages in a table,
 * so a later attempt finds both.
 */
export async function followLinks(context: RunContext): Promise<void> {
  const { run, database, pair, recorder } = context
  if (run.mode !== 'full' && run.mode !== 'dry-run') return
  const { unfollowed } = await findMovedState(database, pair)
  let complete = true
  for (const entity of entities)
    for (const pass of entity.passes)
      if (run.phases.includes(entity.key) && pass.texts) {
        const late = new LateLinks(context, entity, pass)
        const refusal = await unlessRefused(context, { entity, pass }, async () => {
          await completeLinks(context, entity, pass, late.completable(unfollowed))
          await late.warnOnce()
        })
        complete &&= refusal === null
      }
  // Texts out of scope may still link to moved pages.
  const whole =
    !isPartialRun(context) &&
    entities.every(({ key, passes }) => !passes.some(({ texts }) => texts) || run.phases.includes(key))
  if (unfollowed && whole && complete) await recorder.record((tx) => noteFollowed(tx, pair))
  await reportRewritten(context)
}

/** A page that a text links to. */
interface LinkedPage {
  path: string
  storefront: LinkedStorefront | undefined
}

/** The texts of one pass. */
class LateLinks {
  private readonly context: RunContext
  private readonly entity: Entity
  private readonly pass: Pass

  constructor(context: RunContext, entity: Entity, pass: Pass) {
    this.context = context
    this.entity = entity
    this.pass = pass
  }

  async *completable(moved: boolean): AsyncGenerator<LateCompletion> {
    for await (const page of this.pending('')) yield* await this.completions(await this.withCounterpart(page))
    if (moved) for await (const page of this.namingMoved()) yield* await this.completions(page)
  }

  /** Reports links whose targets still have no copy, once for each item, even if processes die meanwhile. */
  async warnOnce(): Promise<void> {
    const { context, pass } = this
    const key = `${pass.key}:links:${context.run.heal.round}`
    const { position, finished } = await readCheckpoint(context.database, context.run.id, key)
    if (finished) return
    for await (const page of this.pending(position)) {
      const issues = (await this.resolved(page)).flatMap(({ resolved }) => {
        const unresolved = describeUnresolved(resolved, { late: true })
        return unresolved === null
          ? []
          : [linkIssue({ context, entity: this.entity, pass }, resolved.draft, unresolved)]
      })
      const at = { position: page.at(-1)?.sourceId ?? '', pages: 0, finished: false }
      await context.recorder.record(async (tx, tally) => {
        for (const { component } of await saveIssues(tx, context.run, issues)) tally.add(component, 'warnings')
        await writeCheckpoint(tx, context.run.id, key, at)
      })
    }
    await context.recorder.record((tx) =>
      writeCheckpoint(tx, context.run.id, key, { position: '', pages: 0, finished: true }),
    )
  }

  private async *pending(from: string): AsyncGenerator<Mapping[]> {
    const { context, pass } = this
    const of = { scope: context.references.scope(pass.root), component: pass.root, limit: pendingAtOnce }
    for (let after = from; ; ) {
      const page = await pendingMappings(context.database, context.pair, { ...of, after, prefix: linkPrefix })
      const last = page.at(-1)
      if (!last) return
      after = last.sourceId
      const own = await mappingsInScope(context, pass, page)
      if (own.length > 0) yield own
    }
  }

  private async withCounterpart(incomplete: Mapping[]): Promise<Mapping[]> {
    const linkedBy = ({ owed }: Mapping) => namedItems(owed, 'link')
    const there = await this.context.references.mappings(incomplete.flatMap(linkedBy))
    return incomplete.filter((mapping) =>
      linkedBy(mapping).some(({ component, sourceId }) => there.has(`${component}:${sourceId}`)),
    )
  }

  /** Copies of items whose texts link to a moved page. Reads only the texts, with large pages. */
  private async *namingMoved(): AsyncGenerator<Mapping[]> {
    const { context, pass } = this
    const { idField } = pass.source
    const alone = pass.byIds ? { query: { include_fields: (pass.texts ?? []).join(',') }, limit: textsPage } : {}
    for await (const { items } of plainPages(context, 'source', { ...pass.source, ...alone })) {
      const pages = new Map(items.map((item) => [String(item[idField]), this.pagesIn(item)]))
      const moved = await context.references.movedPaths([...pages.values()].flat().map(({ path }) => path))
      const isMoved = ({ path, storefront }: LinkedPage) =>
        pageOn(moved.get(withoutLastSlash(path)) ?? [], storefront) !== undefined
      const naming = [...pages].filter(([, named]) => named.some(isMoved))
      if (naming.length === 0) continue
      const requested = naming.map(([sourceId]) => ({ component: pass.root, sourceId }))
      const copies = [...(await context.references.mappings(requested)).values()]
      const own = (await mappingsInScope(context, pass, copies)).filter((copy) => this.mayWrite(copy))
      if (own.length > 0) yield own
    }
  }

  /** `skip` does not change what existed before. */
  private mayWrite({ origin }: Mapping): boolean {
    return origin === 'created' || this.context.run.conflictStrategy !== 'skip'
  }

  private pagesIn(item: PlatformItem): LinkedPage[] {
    const pages: LinkedPage[] = []
    const own = this.pass.storefrontOf?.(item, this.context.channelOfSite)
    const path = (one: string, storefront = own) => {
      pages.push({ path: one, storefront })
      return undefined
    }
    const targets = { moves: this.context.moves, id: (_component: string, id: string) => id, path }
    for (const field of this.pass.texts ?? []) rewriteJson(item[field], targets)
    return pages
  }

  /** Leaves out items that the source no longer has, and those that are already as they should be. */
  private async completions(incomplete: Mapping[]): Promise<LateCompletion[]> {
    const { context, pass } = this
    const ids = incomplete.map(({ sourceId }) => sourceId)
    const failed = (await statesOf(context.database, context.run.id, pass.key, ids)).filter(
      ({ state }) => state === 'failed',
    )
    return (await this.resolved(incomplete)).flatMap(({ item, resolved, mapping }) => {
      const { draft, links } = resolved
      if (mapping.draftChecksum === context.protection.checksum(draft)) return []
      const own = failed.filter((row) => row.rootId === draft.id)
      const states = new Map(own.map((row) => [`${row.component}/${row.sourceId}`, row.state]))
      const pending = [
        ...mapping.owed,
        ...(links?.followed ?? []).map((path) => formatPending({ kind: 'moved', path })),
      ]
      return [{ item, resolved, mapping: { ...mapping, owed: pending }, states }]
    })
  }

  private async resolved(incomplete: Mapping[]): Promise<Omit<LateCompletion, 'states'>[]> {
    if (incomplete.length === 0) return []
    const { context, pass } = this
    const bySource = new Map(incomplete.map((mapping) => [mapping.sourceId, mapping]))
    const items = await readAgain(
      context,
      pass,
      incomplete.map(({ sourceId }) => sourceId),
    )
    const resolved = await resolveLate(context, pass, items)
    return items.flatMap((item, at) => {
      const one = resolved[at]
      const mapping = one && !(one instanceof MissingReference) ? bySource.get(one.draft.id) : undefined
      return one && !(one instanceof MissingReference) && mapping ? [{ item, resolved: one, mapping }] : []
    })
  }
}
