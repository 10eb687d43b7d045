import type { Mode } from '../../contract/modes.ts'
import { addRewritten, rewrittenOf } from '../../db/addresses/rewritten-links.ts'
import type { InTransaction } from '../../db/core/database.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { componentOf, entityOf } from '../../entities/registry.ts'
import { isKind } from '../../model/pending.ts'
import type { RunContext } from '../context/context.ts'
import type { Resolved } from '../core/references.ts'
import { isPlanned, type PageItem } from './decision.ts'

/** How many addresses an issue lists, because a text can have hundreds. */
const mostNamed = 10
/** Longer addresses are cut: the beginning shows where they lead. */
const longestNamed = 200

/** Describes the links that could not be rewritten; null if there are none, or if their targets may still be copied. */
export function describeUnresolved({ links, missing }: Resolved, { late = false } = {}): string | null {
  const left = [...new Set(links?.unresolved ?? [])]
  if (left.length === 0 || (!late && missing.some((pending) => isKind(pending, 'link')))) return null
  const named = left
    .slice(0, mostNamed)
    // Half of a surrogate pair cannot be stored.
    .map((one) => (one.length > longestNamed ? `${one.slice(0, longestNamed).toWellFormed()}…` : one))
  const more = left.length > mostNamed ? ` and ${left.length - mostNamed} more` : ''
  return `${left.length === 1 ? 'an address or id' : `${left.length} addresses or ids`} of the source store that could not be rewritten: ${named.join(', ')}${more}`
}

/** Counts the rewritten links of items that are written now. */
export async function countRewritten(
  tx: InTransaction,
  { run }: RunContext,
  component: string,
  planned: PageItem[],
): Promise<void> {
  const counts = planned.flatMap((one) =>
    isPlanned(one) && ['create', 'examine', 'continue'].includes(one.decision.kind)
      ? (one.resolved.links?.rewritten ?? 0)
      : 0,
  )
  const links = counts.reduce((sum, count) => sum + count, 0)
  await addRewritten(tx, run.id, { component, items: counts.filter((count) => count > 0).length, links })
}

export function describeRewritten({ items, links }: { items: number; links: number }, mode: Mode): string {
  const what = links === 1 ? 'an address or id' : `${links} addresses and ids`
  const where = items === 1 ? 'one item' : `${items} items`
  const done = mode === 'dry-run' ? 'would be' : links === 1 ? 'was' : 'were'
  const those = links === 1 ? 'that' : 'those'
  return `${what} of the source store in ${where} ${done} rewritten to ${those} of the destination.`
}

/** One issue for each component whose texts were rewritten. */
export async function reportRewritten(context: RunContext): Promise<void> {
  const { run, recorder, database } = context
  const issues = (await rewrittenOf(database, run.id)).flatMap(({ component, items, links }): IssueToWrite[] => {
    const entity = entityOf(component)
    if (!entity) return []
    const message = `${componentOf(component).label}: ${describeRewritten({ items, links }, run.mode)}`
    const item = { name: null, sku: null, path: null }
    return [{ phase: entity.key, component, severity: 'warning', code: 'links_rewritten', message, sourceId: '', item }]
  })
  if (issues.length === 0) return
  await recorder.record(async (tx, tally) => {
    for (const { component } of await saveIssues(tx, run, issues)) tally.add(component, 'warnings')
  })
}
