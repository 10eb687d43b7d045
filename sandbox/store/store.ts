/** A row of a sandbox table: JSON with the platform's own field names. */
export type Row = { id: number } & Record<string, unknown>

export type Scalar = string | number | boolean | null

/** Values of indexed fields; a list means "one of". */
export type Where = Record<string, Scalar | (string | number)[]>

/** Bounds are inclusive, and an absent bound is open. A row without the field never matches. */
export interface Span {
  atLeast?: string | number
  atMost?: string | number
}

/**
 * Rows whose id appears in another table: `{ table: 'product_categories', field: 'product_id', where: { category_id:
 * [7] } }`.
 */
export interface Link {
  table: string
  /** Indexed in the other table, as are the fields of `where`. */
  field: string
  where: Where
}

/** Selects rows. All conditions must hold; the database answers them from its indexes. */
export interface Filter {
  where?: Where
  spans?: Record<string, Span>
  links?: Link[]
  /** Values that a field must not have; a row without the field matches. */
  not?: Record<string, (string | number)[]>
  minId?: number | undefined
  maxId?: number | undefined
}

export interface PageOptions extends Filter {
  /** An indexed field, then the id. Only the id by default. */
  orderBy?: string
  descending?: boolean
  offset: number
  limit: number
}

export interface Page {
  rows: Row[]
  /** Number of matching rows on all pages. */
  total: number
}

/** A table of one store. Rows are JSON; the named fields are indexed and can be searched. */
export interface Table {
  /** Assigns the next id unless the row has one. Ids differ between stores. */
  insert(row: Record<string, unknown>): Row
  get(id: number): Row | undefined
  /** Merges `fields` into the row. */
  update(id: number, fields: Record<string, unknown>): Row
  delete(id: number): boolean
  /** Rows whose indexed fields equal the given values (an array means "one of"), by ascending id. */
  find(where: Where): Row[]
  page(options: PageOptions): Page
  count(where?: Where): number
  /** Sums of an indexed field per value of another, without reading the rows; null counts as 0. */
  sums(field: string, per: string, where: Where): Map<unknown, number>
  /**
   * Reads rows one by one, with a thousand in memory at a time, by ascending id unless `descending`. Rows may change
   * meanwhile.
   */
  scan(filter?: Filter, descending?: boolean): Generator<Row>
  /** The id that the next row without one will get. */
  nextId(): number
}

/** One sandbox store, whose tables are in one SQLite database. */
export interface SandboxStore {
  name: string
  hash: string
  /** Address of this store's images, `http://127.0.0.1:<port>/stores/<hash>/images`; changes with the port. */
  imageBase: string
  switches: Record<string, unknown>
  /**
   * Idempotent: the first caller's `indexes` create the table. Names ending in `_key` compare text without case; a name
   * ending in `_ms` indexes the date of that field as milliseconds.
   */
  table(name: string, indexes?: string[]): Table
  /**
   * Inserts many rows, some thousands per transaction, without keeping them all in memory. Create the table with its
   * indexes first. If it throws, earlier transactions remain, unless the caller has one of its own.
   *
   * @returns how many.
   */
  load(name: string, rows: Iterable<Record<string, unknown>>): number
  /** One row of an SQL query. Tables are `t_<name>` with their indexed fields as columns. */
  ask(sql: string): Record<string, unknown>
  /** The result of `find`, cached until a row of any table changes. */
  untilChanged<T>(name: string, find: () => T): T
  /** Runs `change` in one SQLite transaction, which a throw rolls back. */
  transaction<T>(change: () => T): T
}
