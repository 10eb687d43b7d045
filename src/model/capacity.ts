import type { Tier } from '../contract/migration.ts'

/** The most runs of a tier at once; a tier that is not named has no cap. */
export type TierCaps = Partial<Record<Tier, number>>

/** What holds for the whole installation, whatever its number of hosts. */
export interface AdmissionLimits {
  tierCaps: TierCaps
  /** So that one organisation cannot keep every place. */
  organisationRuns: number
}

/** What one host offers to runs. */
export interface HostOffer {
  maxRuns: number
  /** For the memory of its runs together, as their tiers say. */
  memoryMiB: number
  tierCaps: TierCaps
}

export interface RunSize {
  tier: Tier
  memMiB: number
}

export interface HostRoom extends HostOffer {
  runs: RunSize[]
}

/** Whether a host has a place for one more run (A6). */
export function hasRoom(host: HostRoom, run: RunSize): boolean {
  const { runs } = host
  if (runs.length >= host.maxRuns) return false
  if (runs.filter(({ tier }) => tier === run.tier).length >= (host.tierCaps[run.tier] ?? Number.POSITIVE_INFINITY))
    return false
  // A run larger than every host would wait for ever: one that has nothing else to do takes it.
  if (runs.length === 0) return true
  return runs.reduce((sum, { memMiB }) => sum + memMiB, run.memMiB) <= host.memoryMiB
}

/** Gives a run to the host that has the least room left for it, so that large ones still find theirs; @returns false when none has. */
export function reserve(hosts: HostRoom[], run: RunSize): boolean {
  const free = (host: HostRoom) => host.memoryMiB - host.runs.reduce((sum, { memMiB }) => sum + memMiB, 0)
  const host = hosts.filter((one) => hasRoom(one, run)).sort((a, b) => free(a) - free(b))[0]
  host?.runs.push(run)
  return host !== undefined
}
