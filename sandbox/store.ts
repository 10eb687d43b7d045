/** A row of a sandbox table: JSON with the platform's own field names. */
export type Row = { id: number } & Record<string, unknown>

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
  find(where: Record<string, string | number | boolean | null | (string | number)[]>): Row[]
  /** `afterId` and `minId`/`maxId` bound the id; order is ascending id. `where` as in find. */
  page(options: {
    where?: Record<string, string | number | boolean | null | (string | number)[]>
    minId?: number
    maxId?: number
    offset: number
    limit: number
  }): Page
  count(where?: Record<string, string | number | boolean | null | (string | number)[]>): number
}

/** One sandbox store: its tables live in one SQLite database. */
export interface SandboxStore {
  name: string
  hash: string
  /** Address that serves this store's images, `http://127.0.0.1:<port>/stores/<hash>/images`; changes with the port. */
  imageBase: string
  switches: Record<string, unknown>
  /** Idempotent: the first caller's `indexes` create the table. Text is compared case-insensitively on names ending in `_key`. */
  table(name: string, indexes?: string[]): Table
  /** Runs `change` in one SQLite transaction; a throw rolls it back. */
  transaction<T>(change: () => T): T
}
