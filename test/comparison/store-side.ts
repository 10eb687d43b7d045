/** A row of a sandbox table, as `GET /__sandbox/stores/{hash}/state` returns it. */
export type Row = { id: number } & Record<string, unknown>
/** Table to rows. */
export type State = Record<string, Row[]>

/** The name of a row, the same in every store. */
export interface Name {
  /** With the names of its parents. */
  full: string
  /** Its own part. */
  own: string
}

/** The storefront that every store starts with; its name differs from store to store. */
const defaultChannelId = 1

/** One of the two stores compared: finds rows, and names other rows once they have been paired. */
export class StoreSide {
  private readonly state: State
  private readonly names = new Map<string, Name>()
  private readonly byId = new Map<string, Row>()
  private readonly byField = new Map<string, Map<unknown, Row[]>>()

  constructor(state: State) {
    this.state = state
    for (const [table, rows] of Object.entries(state)) for (const row of rows) this.byId.set(`${table}/${row.id}`, row)
    for (const row of this.rows('channels'))
      this.call('channels', row, row.id === defaultChannelId ? 'default storefront' : String(row.name))
  }

  rows(table: string): Row[] {
    return this.state[table] ?? []
  }

  get(table: string, id: unknown): Row | undefined {
    return this.byId.get(`${table}/${id}`)
  }

  /** Rows by a field that refers to another row, e.g. the categories of a product. */
  where(table: string, field: string, value: unknown): Row[] {
    const index = this.byField.get(`${table}/${field}`) ?? Map.groupBy(this.rows(table), (row) => row[field])
    this.byField.set(`${table}/${field}`, index)
    return index.get(value) ?? []
  }

  call(table: string, row: Row, full: string, own = full): void {
    this.names.set(`${table}/${row.id}`, { full, own })
  }

  /** Undefined until the row is paired, and for good when it has no counterpart. */
  nameOf(table: string, id: unknown): Name | undefined {
    return this.names.get(`${table}/${id}`)
  }

  /** A reference in the form that both stores share. One that leads nowhere or to a row without counterpart equals nothing. */
  refer(table: string, id: unknown): unknown {
    if (id === null || id === undefined || id === 0) return id
    return this.nameOf(table, id)?.full ?? `${this.get(table, id) ? 'unpaired' : 'no'} ${table} ${id}`
  }
}
