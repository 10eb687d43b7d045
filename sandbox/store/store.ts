/** A row of a sandbox table: JSON with the platform's own field names. */
export type Row = { id: number } & Record<string, unknown>

export type Scalar = string | number | boolean | null

/** Values of indexed fields; a list means "one of". */
export type Where = Record<string, Scalar | (string | number)[]>

/** Both ends belong to the span, an absent end is open. A row without the field is in no span. */
export interface Span {
  atLeast?: string | number
  atMost?: string | number
}

/** Rows whose id another table names: `{ table: 'product_categories', field: 'product_id', where: { category_id: [7] } }`. */
export interface Link {
  table: string
  /** Indexed in the other table, as are those of `where`. */
  field: string
  where: Where
}

/** Which rows are meant. All conditions must hold; the database answers them from its indexes. */
export interface Filter {
  where?: Where
  spans?: Record<string, Span>
  links?: Link[]
  /** Values that a field must not have; a row without the field is meant too. */
  not?: Record<string, (string | number)[]>
  minId?: number | undefined
  maxId?: number | undefined
}

export interface PageOptions extends Filter {
  /** An indexed field; ties go by id. By id when absent. */
  orderBy?: string
  descending?: boolean
  offset: number
  limit: number
}

export interface Page {
  rows: Row[]
  /** Rows that match, whatever the page. */
  total: number
}

/** A table of one store. Rows are JSON; the named fields are indexed and can be asked for. */
export interface Table {
  /** Gives the next id unless the row brings one. Ids differ between stores. */
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
  /** Rows one after the other, a thousand in memory at a time; by ascending id unless `descending`. Rows may change meanwhile. */
  scan(filter?: Filter, descending?: boolean): Generator<Row>
  /** The id that the next row without one will get. */
  nextId(): number
}

/** One sandbox store: its tables live in one SQLite database. */
export interface SandboxStore {
  name: string
  hash: string
  /** Address that serves this store's images, `http://127.0.0.1:<port>/stores/<hash>/images`; changes with the port. */
  imageBase: string
  switches: Record<string, unknown>
  /**
   * Idempotent: the first caller's `indexes` create the table. Text is compared case-insensitively on names ending in `_key`;
   * a name ending in `_ms` indexes the date of that field as milliseconds.
   */
  table(name: string, indexes?: string[]): Table
  /**
   * Inserts many rows, one transaction for some thousands of them, and never holds them all. Make the table with its indexes
   * before. After a throw the transactions before it stay, unless the caller has one of its own.
   *
   * @returns how many.
   */
  load(name: string, rows: Iterable<Record<string, unknown>>): number
  /** One row of an SQL question about the tables, which are `t_<name>` with their indexed fields as columns. */
  ask(sql: string): Record<string, unknown>
  /** What `find` finds, found again only after a row of any table has changed. */
  untilChanged<T>(name: string, find: () => T): T
  /** Runs `change` in one SQLite transaction; a throw rolls it back. */
  transaction<T>(change: () => T): T
}
