import type { Issue } from '../../../src/contract/issues.ts'
import { componentOf, entities } from '../../../src/entities/registry.ts'
import { pairAndCompare, type RowFinding } from '../../comparison/compare-stores.ts'
import type { State } from '../../comparison/store-side.ts'
import { tableRules } from '../../comparison/table-rules.ts'
import { onlyVerifySees } from '../../entities/entity-facts.ts'
import { type Churn, type Ended, knownPairs, type Strategy, type Trace } from './story.ts'

/** Moments of the source, as far as a run may have seen them. */
interface Span {
  /** All that a copy may show under this strategy. */
  allowed: State[]
  /** During the run. */
  during: State[]
}

/** In how many moments something was so: of all, and of the allowed ones. */
interface Count {
  always: number
  allowed: number
}

interface Tally extends Count {
  /** As it was found last. */
  finding: RowFinding
}

/** Warnings that say in what a copy differs. */
const saidOfDifferences: Issue['code'][] = ['lines_not_linked', 'reference_left_out']

const goods = ['products', 'variants']

const rulesOf = new Map(tableRules.map((rules) => [rules.table, rules]))

/** Whatever a run did that no moment of the source and nothing that people did explains, one line each. */
export async function judge(churn: Churn, ended: Ended): Promise<string[]> {
  const { from, strategy } = ended
  const there = await churn.world.state('destination')
  const known = await knownPairs(churn, there)
  const judged = withoutTheirs(churn, there, known)
  const during = churn.moments.slice(from)
  const span = { during, allowed: strategy === 'skip' ? churn.moments : during }
  return new Judgement(churn, judged, known, span, ended).lines().concat(lostOfPeople(churn, there, strategy))
}

/** Without what people made at the destination and no run took for a copy. */
function withoutTheirs({ traces }: Churn, there: State, known: Awaited<ReturnType<typeof knownPairs>>): State {
  const theirs = new Set(traces.flatMap(({ made }) => made.map(([table, id]) => `${table}/${id}`)))
  const copies = new Set([...known].flatMap(([table, pairs]) => [...pairs.values()].map((id) => `${table}/${id}`)))
  return Object.fromEntries(
    Object.entries(there).map(([table, rows]) => [
      table,
      rows.filter(({ id }) => !theirs.has(`${table}/${id}`) || copies.has(`${table}/${id}`)),
    ]),
  )
}

class Judgement {
  private readonly churn: Churn
  private readonly there: State
  private readonly strategy: Strategy
  private readonly span: Span
  private readonly tallies = new Map<string, Tally>()
  /** When a pair or a row was there. */
  private readonly seen = new Map<string, Count>()
  private readonly latest: Trace[]
  /**
   * What people did whose traces may still show: `skip` leaves alone what it has copied, and the children of that (D2). What they did
   * while a run went may have been taken for its own work (docs/decisions/0006-comparing-before-writing.md).
   */
  private readonly remembered: Trace[]
  private readonly born: Set<string>
  /** What the platform cannot copy, which the run has said: component and id of the source. */
  private readonly notCopied: ReadonlySet<string>
  /** What it warned of, such as lines of an order whose product is gone. */
  private readonly reported: ReadonlySet<string>
  /** Components of which it said that it deletes nothing, such as those that the source has none of any more (D4). */
  private readonly withheld: ReadonlySet<string>

  constructor(
    churn: Churn,
    judged: State,
    known: Awaited<ReturnType<typeof knownPairs>>,
    span: Span,
    { strategy, notCopied, issues }: Ended,
  ) {
    // Two items with one key: the platform takes the first.
    const collisions = issues.filter(({ code, state }) => code === 'natural_key_collision' && state === 'open')
    this.notCopied = new Set([
      ...notCopied,
      ...collisions.map(({ component, item }) => `${component}/${item.sourceId}`),
    ])
    const reported = issues.filter(({ code }) => saidOfDifferences.includes(code))
    this.reported = new Set(reported.map(({ component, item }) => `${component}/${item.sourceId}`))
    const withheld = issues.filter(({ code }) => code === 'prune_withheld')
    this.withheld = new Set(withheld.map(({ component }) => component))
    this.churn = churn
    this.there = judged
    this.span = span
    this.strategy = strategy
    this.latest = churn.traces.filter(({ run, during }) => run === churn.run && during)
    this.remembered = strategy === 'skip' ? churn.traces : churn.traces.filter(({ during }) => during)
    this.born = new Set(Object.entries(churn.born).flatMap(([table, rows]) => rows.map(({ id }) => `${table}/${id}`)))
    for (const moment of churn.moments) this.compare(moment, judged, known)
  }

  private compare(moment: State, judged: State, known: Awaited<ReturnType<typeof knownPairs>>): void {
    const isAllowed = this.span.allowed.includes(moment)
    const { findings, pairs } = pairAndCompare(moment, judged, known)
    const count = (one: Count) => {
      one.always += 1
      if (isAllowed) one.allowed += 1
    }
    const note = (key: string) => {
      const seen = this.seen.get(key) ?? { always: 0, allowed: 0 }
      count(seen)
      this.seen.set(key, seen)
    }
    for (const [table, rows] of Object.entries(moment)) for (const { id } of rows) note(`${table}/${id}`)
    for (const [table, list] of Object.entries(pairs))
      for (const { source, destination } of list) note(`${table}/${source.id}/${destination.id}`)
    for (const finding of findings) {
      const { kind, table, sourceId, destinationId, field } = finding
      const key = `${kind === 'duplicate' ? 'extra' : kind} ${table} ${sourceId} ${destinationId} ${field}`
      const tally = this.tallies.get(key) ?? { finding, always: 0, allowed: 0 }
      tally.finding = finding
      count(tally)
      this.tallies.set(key, tally)
    }
  }

  lines(): string[] {
    return [...this.tallies.values()].filter((tally) => !this.isExplained(tally)).map(({ finding }) => lineOf(finding))
  }

  private isExplained(tally: Tally): boolean {
    const { finding } = tally
    if (this.notCopied.has(`${finding.entity}/${finding.sourceId}`)) return true
    switch (finding.kind) {
      case 'missing':
        return this.isAbsenceExplained(tally)
      case 'different':
        return this.isDifferenceExplained(tally)
      default:
        return this.isExtraExplained(tally)
    }
  }

  private isThroughout({ table, sourceId }: RowFinding): boolean {
    return this.span.during.every((moment) => moment[table]?.some(({ id }) => id === sourceId))
  }

  private isAbsenceExplained({ finding, allowed }: Tally): boolean {
    const { table, sourceId, key } = finding
    if (!this.isThroughout(finding) || isDangling(key)) return true
    if (allowed < (this.seen.get(`${table}/${sourceId}`)?.allowed ?? 0)) return true
    const own = `${table}/${sourceId}`
    if (this.latest.some(({ copies }) => copies.has(own))) return true
    const named = this.namesOf(finding)
    if (this.remembered.some(({ copies }) => named.some((one) => copies.has(one)))) return true
    if (!isRoot(finding.entity) && this.remembered.some(({ copies }) => copies.has(own))) return true
    if (this.namesByKey(finding)) return true
    const isErased = componentOf(finding.entity).staysErased || isCreateOnly(finding.entity)
    return isErased === true && this.churn.traces.some(({ copies }) => copies.has(`${table}/${sourceId}`))
  }

  /** Rows of the source that a row names. */
  private namesOf({ table, sourceId }: RowFinding): string[] {
    const row = this.churn.moments.at(-1)?.[table]?.find(({ id }) => id === sourceId)
    const fields = Object.keys(row ?? {}).filter((field) => field.endsWith('_id'))
    const plural = (field: string) => `${field.slice(0, -'_id'.length)}s`.replace(/ys$/, 'ies')
    const tables = {
      ...Object.fromEntries(fields.map((field) => [field, plural(field)])),
      ...rulesOf.get(table)?.references,
    }
    return Object.entries(tables).map(([field, of]) => `${of}/${row?.[field]}`)
  }

  /** Whether it names by its key what the source has no more, such as the currency of an order. */
  private namesByKey({ table, sourceId }: RowFinding): boolean {
    const { moments } = this.churn
    const last = moments.at(-1) ?? {}
    const said = JSON.stringify(last[table]?.find(({ id }) => id === sourceId)) ?? ''
    const codes = moments.flatMap(({ currencies = [] }) => currencies.map(({ currency_code }) => currency_code))
    const now = new Set((last.currencies ?? []).map(({ currency_code }) => currency_code))
    return codes.some((code) => !now.has(code) && said.includes(JSON.stringify(code)))
  }

  private isDifferenceExplained({ finding, allowed, always }: Tally): boolean {
    const { table, sourceId, destinationId, entity, field = '' } = finding
    if (!this.isThroughout(finding)) return true
    const seen = this.seen.get(`${table}/${sourceId}/${destinationId}`)
    const isOwned = componentOf(entity).destinationOwned.includes(field)
    if (isOwned ? always < (seen?.always ?? 0) : allowed < (seen?.allowed ?? 0)) return true
    const isLeft = this.strategy === 'skip' || isOwned || entity in onlyVerifySees
    const byThem = isLeft ? this.churn.traces : this.remembered
    if (byThem.some(({ changed }) => changed.some(([of, { id }]) => of === table && id === destinationId))) return true
    if (this.reported.has(`${entity}/${sourceId}`) || this.isUnlinked(entity)) return true
    const [ours, theirs] = [String(JSON.stringify(finding.source)), String(JSON.stringify(finding.destination))]
    return isDangling(ours) || this.remembered.some((trace) => namesDeleted(trace, ours, theirs))
  }

  /** What is written once, as an order, does without links to goods that were deleted before. */
  private isUnlinked(entity: string): boolean {
    if (!isCreateOnly(entity)) return false
    return this.churn.traces.some(({ gone }) => gone.some(([table]) => goods.includes(table))) || this.lostGoods()
  }

  /** Lines of orders keep the names of goods that their own store has no more. */
  private lostGoods(): boolean {
    const { moments } = this.churn
    const now = moments.at(-1) ?? {}
    return goods.some((table) => {
      const ids = new Set(now[table]?.map(({ id }) => id))
      return moments.some((moment) => moment[table]?.some(({ id }) => !ids.has(id)))
    })
  }

  private isExtraExplained({ finding, always }: Tally): boolean {
    const { table, destinationId, entity, key } = finding
    if (this.isProtected(finding)) return true
    // What is about an item that people deleted there.
    if (this.born.has(`${table}/${destinationId}`) || isDangling(key)) return true
    if (always === this.churn.moments.length) return false
    // The copy of what is gone from the source: `replace` deletes it.
    if (this.strategy !== 'replace' || !isPrunable(entity) || this.withheld.has(entity)) return true
    return this.span.during.some((moment) => !this.isExtraIn(moment, finding))
  }

  /** What no run deletes, such as the group for new customers (docs/strategies.md). */
  private isProtected({ table, destinationId, entity }: RowFinding): boolean {
    const pass = entities.flatMap(({ passes }) => passes).find(({ root }) => root === entity)
    const row = this.there[table]?.find(({ id }) => id === destinationId)
    if (row === undefined) return false
    return pass?.protects?.(row) === true || componentOf(entity).hiddenFromOthers?.(row) === true
  }

  /** Whether the copy has no original in this moment. */
  private isExtraIn(moment: State, { table, destinationId }: RowFinding): boolean {
    return !(moment[table] ?? []).some(({ id }) => this.seen.has(`${table}/${id}/${destinationId}`))
  }
}

function isPrunable(component: string): boolean {
  const entity = entities.find(({ components }) => components.some(({ key }) => key === component))
  const { remove, madeByShoppers } = componentOf(component)
  return entity?.prune === 'allowed' && remove !== undefined && madeByShoppers === undefined
}

/** A pass reads it, so it is no child of another item. */
function isRoot(component: string): boolean {
  return entities.some(({ passes }) => passes.some(({ root }) => root === component))
}

function isCreateOnly(component: string): boolean {
  return entities.some(({ passes }) => passes.some(({ root, createOnly }) => root === component && createOnly))
}

/** It names what people deleted at the destination. */
function namesDeleted({ gone, copies }: Trace, ours: string, theirs: string): boolean {
  const unpaired = [...copies].map((one) => `unpaired ${one.replace('/', ' ')}`)
  return gone.some(([of, { id }]) => theirs.includes(`no ${of} ${id}`)) || unpaired.some((one) => ours.includes(one))
}

/** It names what its own store does not have any more. */
export function isDangling(text: string): boolean {
  return /\bno [a-z_]+ \d+/.test(text)
}

function lineOf({ entity, kind, key, field, table, sourceId, destinationId, source, destination }: RowFinding): string {
  const line = [entity, kind, key, field ?? []].flat().join(' ')
  const values = kind === 'different' ? `: ${JSON.stringify(source)} -> ${JSON.stringify(destination)}` : ''
  return `${line} (${table} ${sourceId ?? '-'} ${destinationId ?? '-'})${values}`
}

/** What people made at the destination and a run that deletes nothing took from them. */
function lostOfPeople({ traces }: Churn, there: State, strategy: Strategy): string[] {
  if (strategy === 'replace') return []
  const gone = new Set(traces.flatMap((trace) => trace.gone.map(([table, { id }]) => `${table}/${id}`)))
  // A deletion makes rows, too: a product without options has a base variant, which ends when it gets some again.
  const made = traces.filter(({ isDeletion }) => !isDeletion).flatMap((trace) => trace.made)
  return made
    .filter(([table]) => rulesOf.has(table))
    .filter(([table, id]) => !gone.has(`${table}/${id}`) && !there[table]?.some((row) => row.id === id))
    .map(([table, id]) => `made at the destination and gone: ${table} ${id}`)
}
