export type SourceRow = { id: number } & Record<string, unknown>
/** Rows by table, as a sandbox store returns them. */
export type State = Record<string, SourceRow[]>

/** How the platform pages a list. Those below `/v2` have no total. */
type Paging = 'by number' | 'by id or cursor' | '/v2 by number' | '/v2 by id'

/** The two stores before a copy, as the formula counts them. */
export class Shops {
  private readonly source: State
  private readonly destination: State
  private readonly rules: boolean

  /** @param options.rules false: every list is read once, which may miss items of a shop that is open */
  constructor(source: State, destination: State, { rules = true } = {}) {
    this.source = source
    this.destination = destination
    this.rules = rules
  }

  /**
   * Calls to read a list to its end: an empty one takes one, too. Pages by number shift when an item is deleted, so a list of
   * several is read again; without a total, the end is read twice (G2).
   */
  list(items: number, paging: Paging, size = page): number {
    const once = pagesOf(items, size)
    if (!this.rules) return once
    const calls: Record<Paging, number> = {
      'by id or cursor': once,
      'by number': once > 1 ? 2 * once : 1,
      '/v2 by id': once + 1,
      '/v2 by number': 2 * once,
    }
    return calls[paging]
  }

  rows(table: string): SourceRow[] {
    return this.source[table] ?? []
  }

  count(table: string, counts: (row: SourceRow) => boolean = () => true): number {
    return this.rows(table).filter(counts).length
  }

  /** Items that an empty store already has are not created again. */
  fresh(table: string): number {
    return Math.max(0, this.count(table) - this.born(table))
  }

  /** The number of rows that the destination has from the start. */
  born(table: string): number {
    return this.destination[table]?.length ?? 0
  }

  /** The number of owners with rows in the table. */
  owners(table: string, field: string, counts: (row: SourceRow) => boolean = () => true): number {
    return this.sizes(table, field, counts).size
  }

  /** The number of rows of each owner. */
  sizes(table: string, field: string, counts: (row: SourceRow) => boolean = () => true): Map<unknown, number> {
    const groups = Map.groupBy(this.rows(table).filter(counts), (row) => row[field])
    return new Map([...groups].map(([owner, { length }]) => [owner, length]))
  }
}

/** The fewest calls that copy one entity into a store that has none of it. */
export interface Fewest {
  /** The paths of its calls, with a star for each id; no other entity's calls match. */
  paths: RegExp
  tables: string[]
  /** Pages of the source, and what pages do not contain. */
  reads(shops: Shops): number
  /**
   * The reads of the destination that the engine's rules require. An empty list takes a call, too; a list below
   * something that does not exist yet takes none.
   */
  looks(shops: Shops): number
  writes(shops: Shops): number
  /** The reads of a copy that is compared with its source, where they are fewer than those of a source. */
  compares?(copy: Shops): number
}

/** The largest pages of the platform: for most lists, and for inventory locations with their items. */
export const page = 250
export const pageOfPlaces = 1_000

/**
 * The largest batches that the platform documents. If it documents none, the size that it never refused: ten for most,
 * fifty for metafields and redirects.
 */
export const batches = {
  attributes: 10,
  categories: 10,
  customers: 10,
  locations: 10,
  pages: 10,
  tax: 10,
  relatedProducts: 10,
  assignmentsOfPriceLists: 25,
  customs: 50,
  metafields: 50,
  redirects: 50,
  segments: 50,
  taxClasses: 50,
  templateAssociations: 100,
  channelAssignments: 250,
  priceRecords: 1_000,
  stock: 2_000,
}

export const callsOf = (items: number, size: number) => Math.ceil(items / size)
const pagesOf = (items: number, size = page) => Math.max(1, callsOf(items, size))
export const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, one) => total + one, 0)

/** The list of metafields of a kind. */
export const fewestOfMetafields = (kind: string) => ({
  reads: (shops: Shops) => shops.list(shops.count(`${kind}_metafields`), 'by id or cursor'),
  looks: 1,
  writes: (shops: Shops) => callsOf(shops.count(`${kind}_metafields`), batches.metafields),
})

/**
 * A list in which each item takes a call. `looksPerItem`: the platform enforces no key, so existing items are looked up
 * just before each call (B3). An earlier list is not enough, because others may create such an item at any time.
 */
export function oneByOne(paths: RegExp, table: string, paging: Paging, looksPerItem: 0 | 1 = 0): Fewest {
  return {
    paths,
    tables: [table],
    reads: (shops) => shops.list(shops.count(table), paging),
    looks: (shops) => shops.list(shops.born(table), paging) + looksPerItem * shops.fresh(table),
    writes: (shops) => shops.fresh(table),
  }
}

/** Calls of every run, whatever it copies. */
export const fewestOfEveryRun: Fewest = {
  // Information about both stores, their channels and sites, and the mails that are muted during the run (D5).
  paths:
    /^\/(v2\/(store|time|payments)|v3\/(channels(?!\/currency)|sites|hooks|themes|orders\/settings|settings\/email-statuses))/,
  tables: ['channels', 'sites'],
  reads: (shops) =>
    1 + 1 + shops.list(shops.count('channels'), 'by number') + shops.list(shops.count('sites'), 'by number'),
  looks: () => 1 + 1 + 1 + 1 + 1,
  writes: () => 1 + 1,
}
