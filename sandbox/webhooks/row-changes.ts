import type { SandboxAnswer, SandboxRequest } from '../http/resource.ts'
import type { Row } from '../store/store.ts'
import type { StoreEvent } from './store-event.ts'

/** A call that may change rows: before it is applied without an answer, and afterwards with one. */
export interface WatchedCall {
  request: SandboxRequest
  answer?: SandboxAnswer
}

export interface Changes {
  created: Row[]
  updated: { before: Row; after: Row }[]
  deleted: Row[]
}

/** A kind of row whose changes raise events: the rows that a call may change, and the events of a change. */
export interface WatchedKind {
  /**
   * Called before and after the call. May return rows that the call does not change, and include fields of related
   * rows.
   */
  rows(call: WatchedCall): Row[]
  /** Fields whose changes raise no event. */
  silent?: readonly string[]
  events(changes: Changes, call: WatchedCall): StoreEvent[]
}

/** What really changed: a row written with the same values has not. */
export function changesBetween(before: Row[], after: Row[], silent: readonly string[] = []): Changes {
  const earlier = new Map(before.map((row) => [row.id, row]))
  const later = new Map(after.map((row) => [row.id, row]))
  const updated = after.flatMap((row) => {
    const old = earlier.get(row.id)
    return old && changedFields(old, row, silent).length > 0 ? [{ before: old, after: row }] : []
  })
  return {
    created: after.filter((row) => !earlier.has(row.id)),
    updated,
    deleted: before.filter((row) => !later.has(row.id)),
  }
}

export function changedFields(before: Row, after: Row, silent: readonly string[] = []): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter(
    (name) => !silent.includes(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
}

/**
 * The ids in a body or an answer, which is one object or a list, with whole items or bare ids, some of them strings.
 */
export function idsIn(value: unknown, field = 'id'): number[] {
  const things: unknown[] = Array.isArray(value) ? value : [value]
  return things.flatMap((thing) => {
    const id = typeof thing === 'object' && thing !== null ? (thing as Record<string, unknown>)[field] : thing
    return /^\d+$/.test(String(id)) ? [Number(id)] : []
  })
}

/** `data` of a v3 answer; undefined before there is an answer. */
export function dataOf({ answer }: WatchedCall): unknown {
  return (answer?.body as { data?: unknown } | undefined)?.data
}
