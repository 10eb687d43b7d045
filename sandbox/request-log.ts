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
  /** Bytes of the answer's body. */
  bytes: number | null
}

/** Older entries are dropped; the counts keep counting. More would only cost memory in long benchmarks. */
const MOST_ENTRIES = 50_000

/** What a store was asked, from the moment each request arrives. */
export class RequestLog {
  #entries: RequestEntry[] = []
  #counts: Record<string, number> = {}
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
    return entry
  }

  list(method: string | null) {
    const requests = method ? this.#entries.filter((entry) => entry.method === method) : this.#entries
    return { requests, counts: this.#counts }
  }

  reset(): void {
    this.#entries = []
    this.#counts = {}
  }
}
