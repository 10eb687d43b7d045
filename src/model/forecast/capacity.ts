import type { Tier } from '../../contract/migration.ts'

/** The most concurrent runs of a tier; a tier without an entry has no cap. */
export type TierCaps = Partial<Record<Tier, number>>

/** Limits of the whole installation, whatever its number of hosts. */
export interface AdmissionLimits {
  tierCaps: TierCaps
  /** Keeps one organisation from taking every slot. */
  organisationRuns: number
}

/** The capacity of one host. */
export interface HostOffer {
  maxRuns: number
  /** Memory for all its runs together, as given by their tiers. */
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

/** Whether a host has a slot for one more run (A6). */
export function hasRoom(host: HostRoom, run: RunSize): boolean {
  const { runs } = host
  if (runs.length >= host.maxRuns) return false
  if (runs.filter(({ tier }) => tier === run.tier).length >= (host.tierCaps[run.tier] ?? Number.POSITIVE_INFINITY))
    return false
  // A run larger than every host would wait for ever, so an idle host accepts any run.
  if (runs.length === 0) return true
  return runs.reduce((sum, { memMiB }) => sum + memMiB, run.memMiB) <= host.memoryMiB
}

/**
 * Best fit: gives a run to the host with the least free memory, to keep space for large runs. @returns false if no host
 * has a slot
 */
export function reserve(hosts: HostRoom[], run: RunSize): boolean {
  const free = (host: HostRoom) => host.memoryMiB - host.runs.reduce((sum, { memMiB }) => sum + memMiB, 0)
  const host = hosts.filter((one) => hasRoom(one, run)).sort((a, b) => free(a) - free(b))[0]
  host?.runs.push(run)
  return host !== undefined
}
