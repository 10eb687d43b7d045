import type { ProbeCall, Step } from './call.ts'
import { namedBy } from './guard.ts'
import { type Kind, kinds } from './kinds.ts'
import { mostRushed } from './rush.ts'

export interface Plan {
  steps: number
  /** The most calls it takes, unless an earlier probe left something behind or the store has long lists. */
  calls: number
}

/** `GET /v2/store`, and the lists of orders and products. */
const checks = 3
/** Two windows of 30 s with 150 calls each, less the part left to other apps. */
const callsPerMinute = 2 * 150 * 0.9

export function planOf(steps: readonly Step[]): Plan {
  const calls = steps.flatMap((step) => step.calls)
  const removed = kinds.map((kind) => removalsOf(kind, calls))
  const removals = removed.reduce((total, count) => total + count, 0)
  const rushed = steps.filter(({ sent }) => sent === 'rushed').length * mostRushed
  const lookedAtAgain = kinds.filter(({ remove }, at) => !('each' in remove) && (removed[at] ?? 0) > 0).length
  return { steps: steps.length, calls: checks + calls.length + rushed + 2 * kinds.length + removals + lookedAtAgain }
}

/** How many minutes the probe takes with the smallest quota. */
export function minutesOf({ calls }: Plan): number {
  return Math.max(1, Math.ceil(calls / callsPerMinute))
}

/** The calls that delete what the given calls may have created of a kind, if all of them were accepted. */
function removalsOf(kind: Kind, calls: ProbeCall[]): number {
  const rows = calls
    .filter(({ method, path }) => isCreation(method) && isAt(path, kind))
    .reduce((sum, { body }) => sum + (Array.isArray(body) ? body.length : 1), 0)
  const emptied = (kind.emptied === undefined ? 0 : 2 * rows) + (kind.cleared === undefined ? 0 : 1)
  if ('each' in kind.remove) return rows
  return emptied + Math.ceil(rows / kind.remove.most)
}

const isCreation = (method: string) => method === 'POST' || method === 'PUT'

function isAt(path: string, { key }: Kind): boolean {
  const named = namedBy(path)
  return named?.kind === key && named.id === undefined
}
