export type SourceRow = { id: number } & Record<string, unknown>
/** Table to rows, as a sandbox store tells them. */
export type State = Record<string, SourceRow[]>

/** The two stores before a copy, as the formula counts in them. */
export class Shops {
  private readonly source: State
  private readonly destination: State

  constructor(source: State, destination: State) {
    this.source = source
    this.destination = destination
  }

  rows(table: string): SourceRow[] {
    return this.source[table] ?? []
  }

  count(table: string, counts: (row: SourceRow) => boolean = () => true): number {
    return this.rows(table).filter(counts).length
  }

  /** What an empty store was born with is not made again. */
  fresh(table: string): number {
    return Math.max(0, this.count(table) - this.born(table))
  }

  /** With how many of them the destination was born. */
  born(table: string): number {
    return this.destination[table]?.length ?? 0
  }

  /** How many have something of the table hanging on them. */
  owners(table: string, field: string, counts: (row: SourceRow) => boolean = () => true): number {
    return this.sizes(table, field, counts).size
  }

  /** How much of the table hangs on each of its owners. */
  sizes(table: string, field: string, counts: (row: SourceRow) => boolean = () => true): Map<unknown, number> {
    const groups = Map.groupBy(this.rows(table).filter(counts), (row) => row[field])
    return new Map([...groups].map(([owner, { length }]) => [owner, length]))
  }
}

/** The fewest calls that one entity can be copied with into a store that has none of it. */
export interface Fewest {
  /** What its calls are addressed to, with a star for each id: nobody else's calls begin so. */
  paths: RegExp
  tables: string[]
  /** Pages of the source, and what no page shows. */
  reads(shops: Shops): number
  /**
   * What a rule of the engine has it ask the destination. An empty list costs a call as well; a list below something that does not
   * stand there yet costs none.
   */
  looks(shops: Shops): number
  writes(shops: Shops): number
}

/** The most that the platform shows at once: of most lists, and of places with what is in them. */
export const page = 250
export const pageOfPlaces = 1_000

/**
 * The most that one call takes, where the platform says so. Where it does not, what it never refused: ten of most things, fifty of
 * metafields and redirects.
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
/** A list is read until it ends, so that an empty one costs a call. */
export const pagesOf = (items: number, size = page) => Math.max(1, callsOf(items, size))
export const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, one) => total + one, 0)

/** The list of metafields of a kind. */
export const fewestOfMetafields = (kind: string) => ({
  reads: (shops: Shops) => pagesOf(shops.count(`${kind}_metafields`)),
  looks: 1,
  writes: (shops: Shops) => callsOf(shops.count(`${kind}_metafields`), batches.metafields),
})

/**
 * A list of which each item takes a call. `looksPerItem`: the platform enforces no key, so that what stands there is asked for just
 * before each call (B3). Others may make the like at any time, so that no list from before says it.
 */
export function oneByOne(paths: RegExp, table: string, looksPerItem: 0 | 1 = 0): Fewest {
  return {
    paths,
    tables: [table],
    reads: (shops) => pagesOf(shops.count(table)),
    looks: (shops) => 1 + looksPerItem * shops.fresh(table),
    writes: (shops) => shops.fresh(table),
  }
}

/** Calls of every run, whatever it copies. */
export const fewestOfEveryRun: Fewest = {
  // What both stores are, where they sell, what they show there, and the mails that are muted meanwhile (D5).
  paths:
    /^\/(v2\/(store|time|payments)|v3\/(channels(?!\/currency)|sites|hooks|themes|orders\/settings|settings\/email-statuses))/,
  tables: ['channels', 'sites'],
  reads: (shops) => 1 + 1 + pagesOf(shops.count('channels')) + pagesOf(shops.count('sites')),
  looks: () => 1 + 1 + 1 + 1 + 1,
  writes: () => 1 + 1,
}
