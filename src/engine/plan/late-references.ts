import { readCheckpoint, writeCheckpoint } from '../../db/ledger/checkpoints.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { type LedgerState, statesOf } from '../../db/ledger/ledger.ts'
import { type Mapping, pendingOnOwnKind } from '../../db/ledger/mappings.ts'
import { type Draft, MissingReference, type Pass, type PlatformItem } from '../../entities/core/define.ts'
import { namedItems, parsePending } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import type { Resolved } from '../core/references.ts'
import { readAgain } from '../read/source-reader.ts'
import { mappingsInScope } from '../scope/picks.ts'

/** An item that lacked another one of its pass, which exists now. */
export interface LateCompletion {
  item: PlatformItem
  resolved: Resolved
  mapping: Mapping
  /** What failed on it in the first pass. The second does not try that again. */
  states: Map<string, LedgerState>
}

/** Items per query. More: longer addresses when they are read again. Fewer: more queries. */
const pendingAtOnce = 50

/** Whether it is a reference to an item of the same pass (related products, products of a product list). */
export function isOwnKind(pass: Pass, pending: string): boolean {
  const parsed = parsePending(pending)
  return parsed.kind === 'reference' && parsed.component === pass.root
}

/**
 * The second pass over items that refer to each other (C5). Their mappings say what is pending (C1), so it keeps no state of its
 * own: what a process that dies leaves pending is found here by the next one, or in another run when the item is planned.
 */
export class LateReferences {
  private readonly context: RunContext
  private readonly pass: Pass

  constructor(context: RunContext, pass: Pass) {
    this.context = context
    this.pass = pass
  }

  /** Items that can be completed now. */
  async *completable(): AsyncGenerator<LateCompletion> {
    for await (const page of this.pending('')) yield* await this.completions(await this.withCounterpart(page))
  }

  /**
   * Warns about what is still missing after the second pass. Once per item, however often processes die: the warnings of a page
   * are committed with the checkpoint.
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
    const { root } = this.pass
    const own = ({ owed }: Mapping) => namedItems(owed, 'reference').filter(({ component }) => component === root)
    const there = await references.mappings(incomplete.flatMap(own))
    return incomplete.filter((mapping) => own(mapping).some(({ sourceId }) => there.has(`${root}:${sourceId}`)))
  }

  /** Items that the source no longer has are left out: what they refer to is not known. */
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
