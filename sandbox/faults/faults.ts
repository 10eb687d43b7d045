/**
 * When a fault strikes: as a request arrives, once a call has passed the checks, or as a picture or theme archive is
 * served.
 */
type Stage = 'arrival' | 'call' | 'picture' | 'archive'

const STAGES = {
  hold_after_applying: 'call',
  reset_after_applying: 'call',
  reset_before_applying: 'call',
  error_after_applying: 'call',
  error_before_applying: 'call',
  apply_late: 'call',
  slow: 'call',
  truncated_body: 'call',
  empty_body: 'call',
  too_many_requests: 'call',
  overloaded: 'call',
  list_ends_early: 'call',
  html_page: 'call',
  ids_as_text: 'call',
  rows_reordered: 'call',
  row_missing: 'call',
  row_twice: 'call',
  rows_rewritten: 'call',
  maintenance: 'arrival',
  image_unfetchable: 'picture',
  theme_link_expired: 'archive',
} as const satisfies Record<string, Stage>

export type FaultKind = keyof typeof STAGES

/** Faults that strike calls that have passed the checks. */
export type CallFaultKind = { [K in FaultKind]: (typeof STAGES)[K] extends 'call' ? K : never }[FaultKind]

/** What goes wrong with a call. */
export interface Mishap {
  kind: CallFaultKind
  status?: number
  seconds?: number
  rewrites?: Record<string, unknown>
}

function isKind(kind: unknown): kind is FaultKind {
  return typeof kind === 'string' && Object.hasOwn(STAGES, kind)
}

export interface Fault {
  id: number
  kind: FaultKind
  method?: string
  /** Source of a regular expression for the path below `/stores/<hash>`, or below its `images/` for pictures. */
  path?: string
  /** Source of a regular expression for the query, which is empty for pictures and archives. */
  query?: string
  /** Source of a regular expression for the body as received. */
  body?: string
  /** How many more times it strikes; null for always. */
  times: number | null
  probability?: number
  seconds?: number
  status?: number
  /** Replacement values for fields of the answered rows; `lower case` means the saved text in lower case. */
  rewrites?: Record<string, unknown>
  hits: number
}

/** What a fault is matched against. */
interface CallInQuestion {
  method: string
  path: string
  query: URLSearchParams
  bytes: Buffer
}

/** Faults that only strike lists. */
const ofLists: ReadonlySet<FaultKind> = new Set(['list_ends_early', 'ids_as_text'])

const PATTERNS = ['path', 'query', 'body'] as const

interface Armed extends Fault {
  patterns: { [pattern in (typeof PATTERNS)[number]]?: RegExp }
}

/** The faults of one store, in the order in which they were set. The first match strikes. */
export class Faults {
  #armed: Armed[] = []
  #lastId = 0
  #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  /** @returns the id of the fault, or what is wrong with the request */
  add(request: Record<string, unknown>): number | string {
    const { kind } = request
    if (!isKind(kind)) return `kind must be one of ${Object.keys(STAGES).join(', ')}`
    // By default, a fault of the whole store lasts until it is cleared, and a fault of a call strikes once.
    const fault: Armed = { id: ++this.#lastId, kind, times: STAGES[kind] === 'call' ? 1 : null, hits: 0, patterns: {} }
    if (request.times === null || typeof request.times === 'number') fault.times = request.times
    if (typeof request.method === 'string') fault.method = request.method.toUpperCase()
    for (const number of ['probability', 'seconds', 'status'] as const) {
      const value = request[number]
      if (typeof value === 'number') fault[number] = value
    }
    if (request.rewrites !== null && typeof request.rewrites === 'object')
      fault.rewrites = request.rewrites as Record<string, unknown>
    try {
      for (const pattern of PATTERNS) {
        const source = request[pattern]
        if (typeof source !== 'string') continue
        fault[pattern] = source
        fault.patterns[pattern] = new RegExp(source)
      }
    } catch (error) {
      return `path, query and body must be regular expressions: ${error}`
    }
    this.#armed.push(fault)
    return fault.id
  }

  list(): Fault[] {
    return this.#armed.map(({ patterns: _patterns, ...fault }) => fault)
  }

  clear(): void {
    this.#armed = []
  }

  /** The fault that strikes a call, which counts as a hit. */
  pick(call: CallInQuestion): (Fault & { kind: CallFaultKind }) | undefined {
    // Only faults of this stage are returned.
    return this.#hit('call', call) as (Fault & { kind: CallFaultKind }) | undefined
  }

  /** Whether the store refuses the request because of maintenance. */
  closes(call: CallInQuestion): boolean {
    return this.#hit('arrival', call) !== undefined
  }

  /** Whether this picture cannot be downloaded. */
  truncates(file: string): boolean {
    return this.#hit('picture', forFile(file)) !== undefined
  }

  /** Whether the link to this theme archive has expired. */
  expires(file: string): boolean {
    return this.#hit('archive', forFile(file)) !== undefined
  }

  #hit(stage: Stage, call: CallInQuestion): Fault | undefined {
    if (this.#armed.length === 0) return undefined
    const fault = this.#armed.find((armed) => STAGES[armed.kind] === stage && this.#fits(armed, call))
    if (!fault) return undefined
    fault.hits++
    if (fault.times !== null) fault.times--
    return fault
  }

  #fits(fault: Armed, { method, path, query, bytes }: CallInQuestion): boolean {
    if (fault.times !== null && fault.times <= 0) return false
    if (fault.method && fault.method !== method) return false
    if (ofLists.has(fault.kind) && method !== 'GET') return false
    const { path: ofPath, query: ofQuery, body: ofBody } = fault.patterns
    if (ofPath && !ofPath.test(path)) return false
    if (ofQuery && !ofQuery.test(String(query))) return false
    if (ofBody && !ofBody.test(bytes.toString('utf8'))) return false
    return fault.probability === undefined || this.#random() < fault.probability
  }
}

function forFile(path: string): CallInQuestion {
  return { method: 'GET', path, query: new URLSearchParams(), bytes: Buffer.alloc(0) }
}
