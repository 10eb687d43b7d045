import { createHash } from 'node:crypto'
import type { Mishap } from './faults.ts'

interface Sentinel {
  mishap: Mishap
  /** Only the first time that these very words are sent to this path; a second attempt goes well. */
  once: boolean
}

/** What a write brings upon itself by a name in its body, so that data alone can make a store misbehave. */
export const SENTINELS: Record<string, Sentinel> = {
  '[[slow]]': { mishap: { kind: 'slow', seconds: 2 }, once: false },
  '[[fail]]': { mishap: { kind: 'error_before_applying', status: 500 }, once: false },
  '[[fail-once]]': { mishap: { kind: 'error_before_applying', status: 503 }, once: true },
  '[[busy-once]]': { mishap: { kind: 'overloaded' }, once: true },
  '[[lost-once]]': { mishap: { kind: 'reset_after_applying' }, once: true },
}

/** The sentinels that one store has met. */
export class Sentinels {
  #seen = new Set<string>()

  /** What the names in a write bring about; the first of the list above when there are several. */
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
