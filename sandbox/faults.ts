const KINDS = [
  'hold_after_applying',
  'reset_after_applying',
  'reset_before_applying',
  'error_after_applying',
  'error_before_applying',
  'apply_late',
  'slow',
  'truncated_body',
  'too_many_requests',
  'overloaded',
  'list_ends_early',
] as const

export type FaultKind = (typeof KINDS)[number]

export interface Fault {
  id: number
  kind: FaultKind
  method?: string
  /** Source of a regular expression, tested on the path below `/stores/<hash>`. */
  path?: string
  /** Source of a regular expression, tested on the body as it came. */
  body?: string
  /** How often it still happens; null for always. */
  times: number | null
  probability?: number
  seconds?: number
  status?: number
  hits: number
}

interface Armed extends Fault {
  pathPattern?: RegExp
  bodyPattern?: RegExp
}

/** The faults of one store, asked in the order they were set; the first that fits happens. */
export class Faults {
  #armed: Armed[] = []
  #lastId = 0
  #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  /** @returns the fault's id, or what is wrong with the wish. */
  add(wish: Record<string, unknown>): number | string {
    const kind = KINDS.find((known) => known === wish.kind)
    if (!kind) return `kind must be one of ${KINDS.join(', ')}`
    const fault: Armed = { id: ++this.#lastId, kind, times: 1, hits: 0 }
    if (wish.times === null || typeof wish.times === 'number') fault.times = wish.times
    if (typeof wish.method === 'string') fault.method = wish.method.toUpperCase()
    for (const number of ['probability', 'seconds', 'status'] as const) {
      const value = wish[number]
      if (typeof value === 'number') fault[number] = value
    }
    try {
      if (typeof wish.path === 'string') Object.assign(fault, { path: wish.path, pathPattern: new RegExp(wish.path) })
      if (typeof wish.body === 'string') Object.assign(fault, { body: wish.body, bodyPattern: new RegExp(wish.body) })
    } catch (error) {
      return `path and body must be regular expressions: ${error}`
    }
    this.#armed.push(fault)
    return fault.id
  }

  list(): Fault[] {
    return this.#armed.map(({ pathPattern: _path, bodyPattern: _body, ...fault }) => fault)
  }

  clear(): void {
    this.#armed = []
  }

  /** The fault that happens to this request, counted as a hit. */
  pick(method: string, path: string, body: Buffer): Fault | undefined {
    if (this.#armed.length === 0) return undefined
    const fault = this.#armed.find((armed) => this.#fits(armed, method, path, body))
    if (!fault) return undefined
    fault.hits++
    if (fault.times !== null) fault.times--
    return fault
  }

  #fits(fault: Armed, method: string, path: string, body: Buffer): boolean {
    if (fault.times !== null && fault.times <= 0) return false
    if (fault.method && fault.method !== method) return false
    if (fault.kind === 'list_ends_early' && method !== 'GET') return false
    if (fault.pathPattern && !fault.pathPattern.test(path)) return false
    if (fault.bodyPattern && !fault.bodyPattern.test(body.toString('utf8'))) return false
    return fault.probability === undefined || this.#random() < fault.probability
  }
}
