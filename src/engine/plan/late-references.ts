import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { type LedgerState, statesOf } from '../../db/ledger/ledger.ts'
import { type Mapping, pendingOnOwnKind } from '../../db/ledger/mappings.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { MissingReference } from '../../entities/core/references.ts'
import type { RunContext } from '../context/context.ts'
import type { Resolved } from '../core/references.ts'
import { readAgain } from '../read/source-reader.ts'
import { mappingsInScope } from '../scope/picks.ts'

/** An item that owed something to another one of its pass, which is there now. */
export interface LateCompletion {
  item: PlatformItem
  resolved: Resolved
  mapping: Mapping
  /** What failed on it in the first pass, and is not tried again by the second. */
  states: Map<string, LedgerState>
}

/** Items looked at in one go. More: longer addresses when they are read again; fewer: more queries. */
const pendingAtOnce = 50

/** The reference names an item of the same pass (related products, products of a product list). */
export function isOwnKind(pass: Pass, pending: string): boolean {
  return pending.startsWith(`reference:${pass.root}:`)
}

/**
 * The second pass over items that name each other (C5). What they owe stands in their mappings (C1), so it needs no memory:
 * a process that dies in the middle leaves the rest owed, and whoever comes next finds it here or, in another run, when the
 * item is planned.
 */
export class LateReferences {
  private readonly context: RunContext
  private readonly pass: Pass

  constructor(context: RunContext, pass: Pass) {
    this.context = context
    this.pass = pass
  }

  /** What can be paid now. */
  async *payable(): AsyncGenerator<LateCompletion> {
    for await (const page of this.pending('')) yield* await this.completions(await this.withCounterpart(page))
  }

  /**
   * What is still missing when the second pass is over is left out for now. Told once, however often processes die: the
   * warnings of a page are committed with the place to go on from.
   */
  async warnOnce(issueOf: (draft: Draft, missing: string[]) => IssueToWrite): Promise<void> {
    const { context, pass } = this
    const key = `${pass.key}:late`
    const { position, finished } = await readCheckpoint(context.database, context.run.id, key)
    if (finished) return
    for await (const page of this.pending(position)) {
      const issues = (await this.completions(page)).map(({ resolved, mapping }) =>
        issueOf(
          resolved.draft,
          mapping.owed.filter((pending) => isOwnKind(pass, pending)),
        ),
      )
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

  private async *pending(from: string): AsyncGenerator<Mapping[]> {
    const { context, pass } = this
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

  private async withCounterpart(incomplete: Mapping[]): Promise<Mapping[]> {
    const { references } = this.context
    const prefix = `reference:${this.pass.root}:`
    const own = (mapping: Mapping) =>
      mapping.owed.filter((pending) => isOwnKind(this.pass, pending)).map((pending) => pending.slice(prefix.length))
    const requested = incomplete.flatMap(own).map((sourceId) => ({ component: this.pass.root, sourceId }))
    const there = await references.mappings(requested)
    return incomplete.filter((mapping) => own(mapping).some((id) => there.has(`${this.pass.root}:${id}`)))
  }

  /** Items that the source no longer has are left out: nobody can say what they name. */
  private async completions(incomplete: Mapping[]): Promise<LateCompletion[]> {
    if (incomplete.length === 0) return []
    const { context, pass } = this
    const ids = incomplete.map(({ sourceId }) => sourceId)
    const items = await readAgain(context, pass, ids)
    const resolved = await context.references.resolve(pass, items)
    const failed = (await statesOf(context.database, context.run.id, pass.key, ids)).filter(
      ({ state }) => state === 'failed',
    )
    const bySource = new Map(incomplete.map((mapping) => [mapping.sourceId, mapping]))
    return items.flatMap((item, at) => {
      const one = resolved[at]
      const mapping = one && !(one instanceof MissingReference) ? bySource.get(one.draft.id) : undefined
      if (!one || one instanceof MissingReference || !mapping) return []
      const own = failed.filter((row) => row.rootId === one.draft.id)
      const states = new Map(own.map((row) => [`${row.component}/${row.sourceId}`, row.state]))
      return { item, resolved: one, mapping, states }
    })
  }
}
