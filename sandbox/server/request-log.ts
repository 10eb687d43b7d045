export interface RequestEntry {
  seq: number
  at: string
  method: string
  /** Below `/stores/<hash>`. */
  path: string
  query: string
  /** null until answered, and for ever when the connection was cut. */
  status: number | null
  ms: number | null
  /** Bytes of the answer's body as they went over the wire, that is packed where it was. */
  bytes: number | null
}

/** What of the log is asked for; everything that is absent does not restrict. */
export interface LogFilter {
  method?: string
  path?: RegExp
  status?: number
  /** Only entries after this `seq`. */
  since?: number
  /** The first so many of what is left. */
  limit?: number
}

/** Older entries are dropped; the counts keep counting. More would only cost memory in long benchmarks. */
const MOST_ENTRIES = 50_000

/** What a store was asked, from the moment each request arrives. */
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

  /** The counts are of everything since the last reset, whatever the filter. */
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

/** `/v3/catalog/products/*` for every product: as many counts as there are kinds of paths. */
function withoutIds(path: string): string {
  return path.replace(/\/(\d+|[0-9a-f]{8}-[0-9a-f-]{27})(?=\/|$)/g, '/*')
}
