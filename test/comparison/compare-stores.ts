import { excludedFields, excludedTables } from './exclusions.ts'
import { type Row, type State, StoreSide } from './store-side.ts'
import type { TableRules } from './table-rule.ts'
import { tableRules } from './table-rules.ts'

export interface Finding {
  entity: string
  kind: 'missing' | 'extra' | 'different' | 'duplicate'
  /** The name of the row, with its parents. */
  key: string
  field?: string
  source?: unknown
  destination?: unknown
}

/** A row and its copy. */
export interface Pair {
  source: Row
  destination: Row
  key: string
}

/** A finding, and the rows that it is about. */
export interface RowFinding extends Finding {
  table: string
  sourceId?: number
  destinationId?: number
}

/** Pairs that are known before names are compared: source id to destination id, by table. */
export type KnownPairs = ReadonlyMap<string, ReadonlyMap<number, number>>

/** Every difference between two stores, except in ids. Shares nothing with the program whose copies it judges. */
export function compareStores(source: State, destination: State): Finding[] {
  return pairAndCompare(source, destination).findings.map(
    ({ table: _table, sourceId: _source, destinationId: _destination, ...finding }) => finding,
  )
}

/** The same, and which row is the copy of which, by table. */
export function pairAndCompare(
  source: State,
  destination: State,
  known: KnownPairs = new Map(),
): { findings: RowFinding[]; pairs: Record<string, Pair[]> } {
  refuseUnknownTables(source, destination)
  const sides = { source: new StoreSide(source), destination: new StoreSide(destination) }
  const findings: RowFinding[] = []
  const pairs: Record<string, Pair[]> = {}
  for (const rules of tableRules) {
    const table = new TableComparison(rules, sides.source, sides.destination)
    table.pair(known.get(rules.table))
    findings.push(...table.findings())
    pairs[rules.table] = table.pairs
  }
  return { findings, pairs }
}

function refuseUnknownTables(...states: State[]): void {
  const known = new Set([...tableRules.map((rules) => rules.table), ...Object.keys(excludedTables)])
  for (const table of states.flatMap((state) => Object.keys(state)))
    if (!known.has(table)) throw new Error(`Table ${table} is neither compared nor excluded; say which.`)
}

class TableComparison {
  readonly pairs: Pair[] = []
  private readonly rules: TableRules
  private readonly source: StoreSide
  private readonly destination: StoreSide
  private readonly openSource: Set<Row>
  private readonly openDestination: Set<Row>
  private readonly taken = new Map<string, number>()

  constructor(rules: TableRules, source: StoreSide, destination: StoreSide) {
    this.rules = rules
    this.source = source
    this.destination = destination
    const said = (side: StoreSide) => side.rows(rules.table).filter((row) => rules.says?.(row) ?? true)
    this.openSource = new Set(said(source))
    this.openDestination = new Set(said(destination))
  }

  /** Rows below rows of the same table can be paired only after those, hence the rounds. */
  pair(known: ReadonlyMap<number, number> = new Map()): void {
    this.pairKnown(known)
    const knownCopies = new Set(known.values())
    const looks = (row: Row, side: StoreSide) => canonical(this.fields(row, side))
    const key = (at: number) => (row: Row, side: StoreSide) => this.rules.keys(row, side)[at]
    const byName = () =>
      this.pairBy((row, side) => `${key(0)(row, side)} ${looks(row, side)}`) + this.pairBy(key(0)) + this.pairBy(key(1))
    while (byName() > 0 || this.pairNearest(knownCopies) > 0);
    if (this.openSource.size > 0) this.pairBy((row, side) => (this.rules.keys(row, side).length === 0 ? '' : undefined))
  }

  private pairKnown(known: ReadonlyMap<number, number>): void {
    const open = new Map([...this.openDestination].map((row) => [row.id, row]))
    for (const row of this.openSource) {
      const match = open.get(known.get(row.id) ?? 0)
      if (!match) continue
      open.delete(match.id)
      this.take(row, match)
    }
  }

  /** @returns how many pairs with equal marks were found among rows with the same parent. */
  private pairBy(mark: (row: Row, side: StoreSide) => string | undefined): number {
    const before = this.pairs.length
    const marked = (row: Row, side: StoreSide) => {
      const [parent, own] = [this.parentName(row, side), mark(row, side)]
      return parent === undefined || own === undefined ? undefined : `${parent} ${own}`
    }
    const free = Map.groupBy(this.openDestination, (row) => marked(row, this.destination))
    for (const row of this.openSource) {
      const mark = marked(row, this.source)
      const match = mark === undefined ? undefined : free.get(mark)?.shift()
      if (match) this.take(row, match)
    }
    return this.pairs.length - before
  }

  /**
   * Rows that are equal except for one field are the same row changed, even if that field names it. The known copy of
   * another row, which is gone, is not: that it looks like this one is chance.
   */
  private pairNearest(knownCopies: ReadonlySet<number>): number {
    const before = this.pairs.length
    for (const row of this.openSource)
      for (const candidate of this.openDestination) {
        if (knownCopies.has(candidate.id)) continue
        const [here, there] = [this.parentName(row, this.source), this.parentName(candidate, this.destination)]
        if (here === undefined || there === undefined || (here !== there && !this.rules.mayMove)) continue
        if (this.differingFields(row, candidate).length > 1) continue
        this.take(row, candidate)
        break
      }
    return this.pairs.length - before
  }

  private take(row: Row, match: Row): void {
    this.openSource.delete(row)
    this.openDestination.delete(match)
    const own = this.label(row, this.source)
    const full = this.fullKey(row, this.source)
    const times = (this.taken.get(full) ?? 0) + 1
    this.taken.set(full, times)
    // Duplicates are two rows: children of one do not belong to the other.
    const name = times === 1 ? full : `${full} (${times})`
    this.pairs.push({ source: row, destination: match, key: name })
    this.source.call(this.rules.table, row, name, own)
    this.destination.call(this.rules.table, match, name, own)
  }

  findings(): RowFinding[] {
    const { entity, table } = this.rules
    const missing = this.notImplied(this.openSource, this.source)
    const extra = this.notImplied(this.openDestination, this.destination)
    return [
      ...this.pairs.flatMap((pair) => this.differences(pair)),
      ...missing.map(
        (row): RowFinding => ({
          entity,
          kind: 'missing',
          key: this.fullKey(row, this.source),
          table,
          sourceId: row.id,
        }),
      ),
      ...extra.map(
        (row): RowFinding => ({
          entity,
          kind: this.kindOfExtra(row),
          key: this.fullKey(row, this.destination),
          table,
          destinationId: row.id,
        }),
      ),
    ]
  }

  /** An unpaired row stands for its children: a child is reported itself only if its parent is paired or does not exist. */
  private notImplied(open: Set<Row>, side: StoreSide): Row[] {
    return [...open].filter((row) => {
      const parent = this.parentOf(row)
      return !parent || side.nameOf(parent.table, parent.id) || !side.get(parent.table, parent.id)
    })
  }

  private kindOfExtra(row: Row): 'extra' | 'duplicate' {
    const key = this.fullKey(row, this.destination)
    const twin = this.pairs.some(({ destination }) => this.fullKey(destination, this.destination) === key)
    return twin ? 'duplicate' : 'extra'
  }

  private differences({ source, destination, key }: Pair): RowFinding[] {
    const { entity, table } = this.rules
    const [ours, theirs] = [this.fields(source, this.source), this.fields(destination, this.destination)]
    return this.differingFields(source, destination).map((field) => ({
      entity,
      kind: 'different',
      key,
      field,
      source: ours[field],
      destination: theirs[field],
      table,
      sourceId: source.id,
      destinationId: destination.id,
    }))
  }

  private differingFields(row: Row, match: Row): string[] {
    const [ours, theirs] = [this.fields(row, this.source), this.fields(match, this.destination)]
    const names = new Set([...Object.keys(ours), ...Object.keys(theirs)])
    return [...names].filter((name) => canonical(ours[name]) !== canonical(theirs[name]))
  }

  /** A row without excluded fields, and with names instead of ids. */
  private fields(row: Row, side: StoreSide): Record<string, unknown> {
    const { table, references } = this.rules
    const excluded = excludedFields[table] ?? {}
    const fields: Record<string, unknown> = { ...row, ...this.rules.rewritten?.(row, side) }
    for (const [field, target] of Object.entries(references)) fields[field] = side.refer(target, row[field])
    return Object.fromEntries(Object.entries(fields).filter(([field]) => !(field in excluded)))
  }

  private parentOf(row: Row): { table: string; id: unknown } | undefined {
    const field = this.rules.parents.find((name) => row[name] !== 0 && row[name] !== null)
    return field === undefined ? undefined : { table: this.rules.references[field] ?? '', id: row[field] }
  }

  /** Empty at the top; undefined when the parent has no counterpart, or none yet. */
  private parentName(row: Row, side: StoreSide): string | undefined {
    const parent = this.parentOf(row)
    return parent ? side.nameOf(parent.table, parent.id)?.full : ''
  }

  private fullKey(row: Row, side: StoreSide): string {
    const parent = this.parentOf(row)
    const own = this.label(row, side)
    return parent ? `${side.refer(parent.table, parent.id)} > ${own}` : own
  }

  private label(row: Row, side: StoreSide): string {
    return this.rules.keys(row, side)[0] ?? this.rules.label?.(row) ?? ''
  }
}

/** JSON with sorted keys: the order of an object's fields means nothing, that of a list does. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'absent'
  const entries = Object.entries(value).filter(([, of]) => of !== undefined)
  return `{${entries
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, of]) => `${JSON.stringify(name)}:${canonical(of)}`)
    .join()}}`
}
