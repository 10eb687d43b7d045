import { noteFollowed, whatMoved } from '../../db/addresses/moved-addresses.ts'
import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { saveIssues } from '../../db/ledger/issues.ts'
import { statesOf } from '../../db/ledger/ledger.ts'
import { type Mapping, pendingMappings } from '../../db/ledger/mappings.ts'
import type { PlatformItem } from '../../entities/core/draft.ts'
import type { Entity } from '../../entities/core/entity.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { MissingReference } from '../../entities/core/references.ts'
import { entities } from '../../entities/registry.ts'
import { rewriteJson } from '../../model/links/rewrite-text.ts'
import type { RunContext } from '../context/context.ts'
import { pendingLink, pendingPath } from '../core/references.ts'
import { PassRunner } from '../pass/pass-runner.ts'
import type { LateCompletion } from '../plan/late-references.ts'
import { reportRewritten, saidUnresolved } from '../plan/link-issues.ts'
import { PlanIssues } from '../plan/plan-issues.ts'
import { plainPages, readAgain } from '../read/source-reader.ts'
import { mappingsInScope } from '../scope/picks.ts'
import { isPartialRun } from '../scope/run-part.ts'

/** Items looked at in one go, as for other late references. */
const pendingAtOnce = 50
/** The largest page of texts alone. */
const textsPage = 250

/**
 * When everything is there: texts that were written before what they link to, and those that link to pages which got another
 * path (decision 0042). Owed ids stand in the mappings, moved pages in a table, so whoever takes over finds both.
 */
export async function followLinks(context: RunContext): Promise<void> {
  const { run, database, pair, recorder } = context
  if (run.mode !== 'full' && run.mode !== 'dry-run') return
  const { unfollowed } = await whatMoved(database, pair)
  for (const entity of entities)
    for (const pass of entity.passes)
      if (run.phases.includes(entity.key) && pass.texts) {
        const late = new LateLinks(context, entity, pass)
        await new PassRunner(context, entity, pass, { adoptOnly: false }).completeLinks(late.payable(unfollowed))
        await late.warnOnce()
      }
  // Texts that this run does not cover may still name them.
  const whole =
    !isPartialRun(context) &&
    entities.every(({ key, passes }) => !passes.some(({ texts }) => texts) || run.phases.includes(key))
  if (unfollowed && whole) await recorder.record((tx) => noteFollowed(tx, pair))
  await reportRewritten(context)
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

  async *payable(moved: boolean): AsyncGenerator<LateCompletion> {
    for await (const page of this.pending('')) yield* await this.completions(await this.withCounterpart(page))
    if (moved) for await (const page of this.namingMoved()) yield* await this.completions(page)
  }

  /** What has no counterpart now is told, once for each item of the run, however often processes die. */
  async warnOnce(): Promise<void> {
    const { context, pass } = this
    const key = `${pass.key}:links:${context.run.heal.round}`
    const { position, finished } = await readCheckpoint(context.database, context.run.id, key)
    if (finished) return
    const planIssues = new PlanIssues(context, this.entity, pass)
    for await (const page of this.pending(position)) {
      const issues = (await this.resolved(page)).flatMap(({ resolved }) => {
        const said = saidUnresolved(resolved, { late: true })
        return said === null ? [] : [planIssues.linkUnresolved(resolved.draft, said)]
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
      const page = await pendingMappings(context.database, context.pair, { ...of, after, prefix: pendingLink })
      const last = page.at(-1)
      if (!last) return
      after = last.sourceId
      const own = await mappingsInScope(context, pass, page)
      if (own.length > 0) yield own
    }
  }

  private async withCounterpart(incomplete: Mapping[]): Promise<Mapping[]> {
    const there = await this.context.references.mappings(
      incomplete.flatMap(({ owed: pending }) => pending.flatMap(linkOf)),
    )
    const isThere = (pending: string) => there.has(pending.slice(pendingLink.length))
    return incomplete.filter(({ owed: pending }) => pending.some((one) => one.startsWith(pendingLink) && isThere(one)))
  }

  /** Copies of items whose texts name a page that moved: the texts alone are read once more, with the largest page. */
  private async *namingMoved(): AsyncGenerator<Mapping[]> {
    const { context, pass } = this
    const { idField } = pass.source
    const alone = pass.byIds ? { query: { include_fields: (pass.texts ?? []).join(',') }, limit: textsPage } : {}
    for await (const { items } of plainPages(context, 'source', { ...pass.source, ...alone })) {
      const paths = new Map(items.map((item) => [String(item[idField]), this.pathsIn(item)]))
      const moved = await context.references.movedPaths([...paths.values()].flat())
      const naming = [...paths].filter(([, named]) => named.some((path) => moved.has(path.replace(/\/+$/, '') || '/')))
      if (naming.length === 0) continue
      const requested = naming.map(([sourceId]) => ({ component: pass.root, sourceId }))
      const copies = [...(await context.references.mappings(requested)).values()]
      const own = (await mappingsInScope(context, pass, copies)).filter((copy) => this.mayWrite(copy))
      if (own.length > 0) yield own
    }
  }

  /** `skip` leaves alone what was there before. */
  private mayWrite({ origin }: Mapping): boolean {
    return origin === 'created' || this.context.run.conflictStrategy !== 'skip'
  }

  private pathsIn(item: PlatformItem): string[] {
    const paths: string[] = []
    const path = (one: string) => {
      paths.push(one)
      return undefined
    }
    const targets = { moves: this.context.references.moves ?? [], id: (_component: string, id: string) => id, path }
    for (const field of this.pass.texts ?? []) rewriteJson(item[field], targets)
    return paths
  }

  /** Items that the source no longer has are left out, and so are those that stand as they should. */
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
      const pending = [...mapping.owed, ...(links?.followed ?? []).map((path) => `${pendingPath}${path}`)]
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
    const resolved = await context.references.resolve(pass, items)
    return items.flatMap((item, at) => {
      const one = resolved[at]
      const mapping = one && !(one instanceof MissingReference) ? bySource.get(one.draft.id) : undefined
      return one && !(one instanceof MissingReference) && mapping ? [{ item, resolved: one, mapping }] : []
    })
  }
}

function linkOf(pending: string): { component: string; sourceId: string }[] {
  if (!pending.startsWith(pendingLink)) return []
  const [component = '', sourceId = ''] = pending.slice(pendingLink.length).split(':')
  return [{ component, sourceId }]
}
