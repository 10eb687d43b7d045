import type { Occupation, QueuedRun } from '../../db/runs/admission.ts'
import { type AdmissionLimits, hasRoom, reserve } from '../../model/capacity.ts'

/**
 * The queued runs that may begin now, in the order in which they are let in (A1): organisations take turns, beginning with the one
 * whose last turn is longest ago, and each sends its longest waiting run that fits.
 */
export function chooseRuns(queued: QueuedRun[], occupied: Occupation, limits: AdmissionLimits): QueuedRun[] {
  // Whoever is let in already and has lost its host goes first, or small runs would take its place for ever.
  if (!occupied.unplaced.every((run) => reserve(occupied.hosts, run))) return []
  const waiting = Map.groupBy(queued, ({ organisationId }) => organisationId)
  const turns = inTurn([...waiting.keys()], occupied.lastTurns)
  const chosen: QueuedRun[] = []
  for (let organisation = turns.shift(); organisation !== undefined; organisation = turns.shift()) {
    const runs = waiting.get(organisation) ?? []
    const run = runs.find((one) => fits(one, occupied, limits))
    // Nothing becomes free meanwhile: what does not fit now will not fit after others were let in.
    if (!run) continue
    runs.splice(runs.indexOf(run), 1)
    occupy(run, occupied)
    chosen.push(run)
    turns.push(organisation)
  }
  return chosen
}

/** Whoever never had a turn comes first, in the order of asking. */
function inTurn(organisations: string[], lastTurns: Map<string, number>): string[] {
  return organisations.sort((a, b) => (lastTurns.get(a) ?? 0) - (lastTurns.get(b) ?? 0))
}

/**
 * Capacity is there, nobody writes to what it reads from, and a run that writes has its destination for itself: nobody else writes
 * to it or reads from it (A2). One that writes nothing takes no place at its destination.
 */
export function fits(run: QueuedRun, occupied: Occupation, limits: AdmissionLimits): boolean {
  const { inProgressByTier, inProgressByOrganisation, destinations, sources, hosts } = occupied
  if ((inProgressByTier.get(run.tier) ?? 0) >= (limits.tierCaps[run.tier] ?? Number.POSITIVE_INFINITY)) return false
  if ((inProgressByOrganisation.get(run.organisationId) ?? 0) >= limits.organisationRuns) return false
  if (destinations.has(run.sourceHash)) return false
  if (run.writes && (destinations.has(run.destinationHash) || sources.has(run.destinationHash))) return false
  return hosts.some((host) => hasRoom(host, run))
}

function occupy(run: QueuedRun, occupied: Occupation): void {
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  count(occupied.inProgressByTier, run.tier)
  count(occupied.inProgressByOrganisation, run.organisationId)
  occupied.sources.add(run.sourceHash)
  if (run.writes) occupied.destinations.add(run.destinationHash)
  reserve(occupied.hosts, run)
}
