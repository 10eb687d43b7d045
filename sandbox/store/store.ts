/** A row of a sandbox table: JSON with the platform's field names. */
export type Row = { id: number } & Record<string, unknown>

export type Scalar = string | number | boolean | null

/** Values of indexed fields. A list means "any of these". */
export type Where = Record<string, Scalar | (string | number)[]>

/** Bounds are inclusive, and an absent bound is open. Rows without the field never match. */
export interface Span {
  atLeast?: string | number
  atMost?: string | number
}

/**
 * Selects rows whose id is in another table: `{ table: 'product_categories', field: 'product_id', where: { category_id:
 * [7] } }`.
 */
export interface Link {
  table: string
  /** Must be indexed in the other table, as must the fields of `where`. */
  field: string
  where: Where
}

/** Selects rows that meet all conditions. The database uses only indexes for this. */
export interface Filter {
  where?: Where
  spans?: Record<string, Span>
  links?: Link[]
  /** Values that a field must not have. Rows without the field match. */
  not?: Record<string, (string | number)[]>
  minId?: number | undefined
  maxId?: number | undefined
}

export interface PageOptions extends Filter {
  /** An indexed field; rows with equal values are sorted by id. Absent: by id. */
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

/** A table of one store. Rows are JSON; only indexed fields can be searched. */
export interface Table {
  /** Assigns the next id unless the row already has one. Ids differ between stores. */
  insert(row: Record<string, unknown>): Row
  get(id: number): Row | undefined
  /** Merges `fields` into the row. */
  update(id: number, fields: Record<string, unknown>): Row
  delete(id: number): boolean
  /** Rows whose indexed fields have these values (an array means "any of these"), by ascending id. */
  find(where: Where): Row[]
  page(options: PageOptions): Page
  count(where?: Where): number
  /** Sums an indexed field for each value of another one, without reading rows. Null counts as 0. */
  sums(field: string, per: string, where: Where): Map<unknown, number>
  /**
   * Reads rows one by one, by ascending id unless `descending`, with at most a thousand in memory. Rows may change in
   * the meantime.
   */
  scan(filter?: Filter, descending?: boolean): Generator<Row>
  /** The id of the next row that is inserted without one. */
  nextId(): number
}

/** One sandbox store. All its tables are in one SQLite database. */
export interface SandboxStore {
  name: string
  hash: string
  /** The address of this store's images, `http://127.0.0.1:<port>/stores/<hash>/images`. It changes with the port. */
  imageBase: string
  switches: Record<string, unknown>
  /**
   * May be called any number of times: the first call creates the table with `indexes`. Fields that end in `_key` are
   * compared without case; one that ends in `_ms` indexes the date of the field as milliseconds.
   */
  table(name: string, indexes?: string[]): Table
  /**
   * Inserts many rows, some thousands per transaction, without keeping them all in memory. The table and its indexes
   * must already exist. If it throws, earlier transactions stay, unless the caller has one of its own.
   *
   * @returns how many rows were inserted
   */
  load(name: string, rows: Iterable<Record<string, unknown>>): number
  /** The first row of an SQL query. Tables are called `t_<name>` and have the indexed fields as columns. */
  ask(sql: string): Record<string, unknown>
  /** The result of `find`, cached until a row of any table changes. */
  untilChanged<T>(name: string, find: () => T): T
  /** Runs `change` in one SQLite transaction, and rolls it back if `change` throws. */
  transaction<T>(change: () => T): T
}
