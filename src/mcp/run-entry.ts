import { z } from 'zod'
import type { HistoryEntry } from '../contract/history.ts'
import { count, maybe, pairFields, text } from './shapes.ts'

/** A run in a list. The summary line is untrusted: it may quote a person or the platform. */
export const entryShape = z.strictObject({
  run_id: text,
  untrusted_label: maybe,
  ...pairFields,
  mode: text,
  strategy: text,
  status: text,
  untrusted_summary: text,
  failures_open: count,
  created_at: text,
  updated_at: text,
  worked_seconds: count,
  portal_url: text,
})

/** A run inside another result. */
export const briefShape = z.strictObject({
  run_id: text,
  source: text,
  destination: text,
  mode: text,
  status: text,
  untrusted_summary: text,
  failures_open: count,
  updated_at: text,
})

export function describeBriefly(run: HistoryEntry) {
  return {
    runId: run.requestId,
    source: run.source.hash,
    destination: run.destination.hash,
    mode: run.mode,
    status: run.status,
    untrusted_summary: run.summaryLine,
    failuresOpen: run.failuresOpen,
    updatedAt: run.timestamps.updated,
  }
}

interface Named {
  hash: string
  label: string
}

export function describePair({ source, destination }: { source: Named; destination: Named }) {
  return {
    source: source.hash,
    untrusted_source_label: source.label,
    destination: destination.hash,
    untrusted_destination_label: destination.label,
  }
}

export function describeEntry(run: HistoryEntry, portalUrl: (path: string) => string) {
  return {
    runId: run.requestId,
    untrusted_label: run.label,
    ...describePair(run),
    mode: run.mode,
    strategy: run.conflictStrategy,
    status: run.status,
    untrusted_summary: run.summaryLine,
    failuresOpen: run.failuresOpen,
    createdAt: run.timestamps.created,
    updatedAt: run.timestamps.updated,
    workedSeconds: run.workedSeconds,
    portalUrl: portalUrl(`/migrations/${run.requestId}`),
  }
}
