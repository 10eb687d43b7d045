import type { WaitingReason } from '../../contract/migration-request.ts'
import type { Occupation, QueuedRun } from '../../db/runs/admission.ts'
import { type AdmissionLimits, hasRoom, reserve } from '../../model/forecast/capacity.ts'

/**
 * The queued runs that may start now, in order of admission (A1): organisations take turns, starting with the one whose
 * last turn is longest ago, and each sends the longest-waiting of its runs that fits.
 */
export function chooseRuns(queued: QueuedRun[], occupied: Occupation, limits: AdmissionLimits): QueuedRun[] {
  // An admitted run that lost its host comes first; otherwise small runs would keep taking its memory. Until it has a
  // slot, the hosts that would take it, once they are idle, get nothing else.
  const left = occupied.unplaced.filter((run) => !reserve(occupied.hosts, run))
  const kept = new Set(occupied.hosts.filter((host) => left.some((run) => hasRoom({ ...host, runs: [] }, run))))
  const open = { ...occupied, hosts: occupied.hosts.filter((host) => !kept.has(host)) }
  const mayStart = (run: QueuedRun) => fits(run, open, limits) && ![...kept].some((host) => hasRoom(host, run))
  const waiting = Map.groupBy(queued, ({ organisationId }) => organisationId)
  const turns = inTurn([...waiting.keys()], occupied.lastTurns)
  const chosen: QueuedRun[] = []
  for (let organisation = turns.shift(); organisation !== undefined; organisation = turns.shift()) {
    const runs = waiting.get(organisation) ?? []
    const run = runs.find(mayStart)
    // Admitting others frees nothing: a run that does not fit now will not fit later in this round.
    if (!run) continue
    runs.splice(runs.indexOf(run), 1)
    occupy(run, open)
    chosen.push(run)
    turns.push(organisation)
  }
  return chosen
}

/** Organisations that never had a turn come first, in order of their requests. */
function inTurn(organisations: string[], lastTurns: Map<string, number>): string[] {
  return organisations.sort((a, b) => (lastTurns.get(a) ?? 0) - (lastTurns.get(b) ?? 0))
}

/**
 * Whether the limits allow it, a host has room, no other run writes to its source and, if it writes, no other run uses
 * its destination (A2). A run that does not write leaves its destination to others.
 */
export function fits(run: QueuedRun, occupied: Occupation, limits: AdmissionLimits): boolean {
  return whyHeld(run, occupied, limits) === undefined
}

function whyHeld(run: QueuedRun, occupied: Occupation, limits: AdmissionLimits): WaitingReason | undefined {
  const { inProgressByTier, inProgressByOrganisation, destinations, sources, hosts } = occupied
  if (destinations.has(run.sourceHash)) return 'source_written'
  if (run.writes && (destinations.has(run.destinationHash) || sources.has(run.destinationHash)))
    return 'destination_used'
  if ((inProgressByOrganisation.get(run.organisationId) ?? 0) >= limits.organisationRuns) return 'organisation_limit'
  if ((inProgressByTier.get(run.tier) ?? 0) >= (limits.tierCaps[run.tier] ?? Number.POSITIVE_INFINITY))
    return 'tier_limit'
  if (hosts.length === 0) return 'no_host'
  return hosts.some((host) => hasRoom(host, run)) ? undefined : 'no_room'
}

/**
 * Why each queued run has not started, by run id; `starting` for those that may start now. Changes `occupied`, like
 * `chooseRuns`.
 */
export function explainWaiting(
  queued: QueuedRun[],
  occupied: Occupation,
  limits: AdmissionLimits,
): Map<string, WaitingReason> {
  const starting = new Set(chooseRuns(queued, occupied, limits).map(({ id }) => id))
  return new Map(
    queued.map((run) => [run.id, starting.has(run.id) ? 'starting' : (whyHeld(run, occupied, limits) ?? 'lost_host')]),
  )
}

function occupy(run: QueuedRun, occupied: Occupation): void {
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  count(occupied.inProgressByTier, run.tier)
  count(occupied.inProgressByOrganisation, run.organisationId)
  occupied.sources.add(run.sourceHash)
  if (run.writes) occupied.destinations.add(run.destinationHash)
  reserve(occupied.hosts, run)
}
