import { type RefObject, useEffect, useRef, useState } from 'react'
import type { MigrationBody } from '../../data/queries.ts'
import { changeOfStores, type Draft, emptyDraft, readDraft, withoutGone } from './draft.ts'

/** Keeps the choices of this person and organization in the browser, until they are started or dropped. */
export function useDraft(owner: string, given: Partial<Draft> | undefined, connected: readonly string[]) {
  const storageKey = `storeferry.new-migration.${owner}`
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = readDraft(localStorage.getItem(storageKey)) ?? emptyDraft
    return withoutGone({ ...kept, ...(given && changeOfStores(kept, given)), ...given }, connected)
  })
  const [isKept, setKept] = useState(true)
  useEffect(() => setKept(draft === emptyDraft || keeps(storageKey, draft)), [storageKey, draft])
  const started = useRef<Started>(undefined)
  return {
    draft,
    /** False if they are too many, such as tens of thousands of picked items. The browser then keeps earlier ones. */
    isKept,
    change: (next: Partial<Draft>) => setDraft((before) => ({ ...before, ...next })),
    /** Drops all choices. */
    drop: () => {
      localStorage.removeItem(storageKey)
      localStorage.removeItem(`${storageKey}.key`)
      started.current = undefined
      setDraft(emptyDraft)
    },
    startKey: (body: MigrationBody) => keyFor(`${storageKey}.key`, body, started),
  }
}

/** Whether the browser has room for it. */
function keeps(storageKey: string, value: unknown): boolean {
  try {
    localStorage.setItem(storageKey, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

interface Started {
  request: string
  key: string
}

/**
 * An idempotency key that is the same for the same request, even after a response was lost or the page was loaded
 * again. So the request starts just one migration.
 */
function keyFor(storageKey: string, body: MigrationBody, started: RefObject<Started | undefined>): string {
  const request = JSON.stringify(body)
  const kept = localStorage.getItem(storageKey)
  const known: Partial<Started> | undefined = started.current ?? (kept === null ? undefined : JSON.parse(kept))
  if (known?.request === request && known.key !== undefined) return known.key
  const key = crypto.randomUUID()
  started.current = { request, key }
  keeps(storageKey, started.current)
  return key
}

/** The value once it has not changed for a while. */
export function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const pause = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(pause)
  }, [value, ms])
  return settled
}
