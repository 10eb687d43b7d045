import type { PassWork } from './calls.ts'

/** Calls that a run makes to each store before its first phase. */
export interface OpeningCalls {
  source: number
  destination: number
}

export interface CallTotals {
  sourceReads: number
  destinationReads: number
  writes: number
  heavyWrites: number
}

/** All calls of the given passes, and the opening calls. */
export function callTotals(
  works: readonly PassWork[],
  opening: OpeningCalls = { source: 0, destination: 0 },
): CallTotals {
  const totals = { sourceReads: opening.source, destinationReads: opening.destination, writes: 0, heavyWrites: 0 }
  for (const work of works) {
    totals.sourceReads += work.staging + work.pageReads + work.sourceDetails + work.lateReads
    totals.sourceReads += work.deletionSourceReads
    totals.destinationReads +=
      work.listing +
      work.listingDetails +
      work.examining +
      work.examiningDetails +
      work.itemReads +
      work.recordingChecksums
    totals.destinationReads += work.deletionReads
    totals.writes += work.writes + work.lateWrites + work.deletions
    totals.heavyWrites += work.heavyWrites
  }
  return totals
}
