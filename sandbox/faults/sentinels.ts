import { createHash } from 'node:crypto'
import type { Mishap } from './faults.ts'

interface Sentinel {
  mishap: Mishap
  /** Strikes only the first time that this body is sent to this path, so that a second attempt succeeds. */
  once: boolean
}

/** Names that make a write fail if they appear in its body, so that faults need nothing but data. */
export const SENTINELS: Record<string, Sentinel> = {
  '[[slow]]': { mishap: { kind: 'slow', seconds: 2 }, once: false },
  '[[fail]]': { mishap: { kind: 'error_before_applying', status: 500 }, once: false },
  '[[fail-once]]': { mishap: { kind: 'error_before_applying', status: 503 }, once: true },
  '[[busy-once]]': { mishap: { kind: 'overloaded' }, once: true },
  '[[lost-once]]': { mishap: { kind: 'reset_after_applying' }, once: true },
}

/** The sentinels that one store has received. */
export class Sentinels {
  #seen = new Set<string>()

  /** The mishap for the names in the body. With several names, the one that comes first in the list above. */
  pick({ method, path, bytes }: { method: string; path: string; bytes: Buffer }): Mishap | undefined {
    if (!bytes.includes('[[')) return undefined
    for (const [name, { mishap, once }] of Object.entries(SENTINELS)) {
      if (!bytes.includes(name)) continue
      if (!once || this.#isNew(`${name} ${method} ${path}`, bytes)) return mishap
    }
    return undefined
  }

  #isNew(call: string, bytes: Buffer): boolean {
    const words = createHash('sha256').update(call).update(bytes).digest('base64')
    if (this.#seen.has(words)) return false
    this.#seen.add(words)
    return true
  }
}
