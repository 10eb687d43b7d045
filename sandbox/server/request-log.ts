export interface RequestEntry {
  seq: number
  at: string
  method: string
  /** Path below `/stores/<hash>`. */
  path: string
  query: string
  /** null until answered; stays null if the connection was cut. */
  status: number | null
  ms: number | null
  /** Size of the body as sent, after compression. */
  bytes: number | null
}

/** A filter of the log. Absent fields do not restrict it. */
export interface LogFilter {
  method?: string
  path?: RegExp
  status?: number
  /** Only entries after this `seq`. */
  since?: number
  /** At most this many entries, the oldest first. */
  limit?: number
}

/** Older entries are dropped, though still counted, so that long benchmarks do not fill the memory. */
const MOST_ENTRIES = 50_000

/** The requests that a store received, logged as they arrive. */
export class RequestLog {
  #entries: RequestEntry[] = []
  #counts: Record<string, number> = {}
  #paths: Record<string, number> = {}
  #seq = 0

  arrived(method: string, path: string, query: string): RequestEntry {
    const entry: RequestEntry = {
      seq: ++this.#seq,
      at: new Date().toISOString(),
      method,
      path,
      query,
      status: null,
      ms: null,
      bytes: null,
    }
    this.#entries.push(entry)
    if (this.#entries.length > MOST_ENTRIES) this.#entries = this.#entries.slice(MOST_ENTRIES / 2)
    this.#counts[method] = (this.#counts[method] ?? 0) + 1
    const shape = `${method} ${withoutIds(path)}`
    this.#paths[shape] = (this.#paths[shape] ?? 0) + 1
    return entry
  }

  /** The counts include everything since the last reset, whatever the filter. */
  list({ method, path, status, since, limit }: LogFilter = {}) {
    const requests = this.#entries.filter(
      (entry) =>
        (method === undefined || entry.method === method) &&
        (path === undefined || path.test(entry.path)) &&
        (status === undefined || entry.status === status) &&
        (since === undefined || entry.seq > since),
    )
    return { requests: requests.slice(0, limit), counts: this.#counts, paths: this.#paths }
  }

  reset(): void {
    this.#entries = []
    this.#counts = {}
    this.#paths = {}
  }
}

/** `/v3/catalog/products/*` for every product, so that requests are counted by kind of path. */
function withoutIds(path: string): string {
  return path.replace(/\/(\d+|[0-9a-f]{8}-[0-9a-f-]{27})(?=\/|$)/g, '/*')
}
