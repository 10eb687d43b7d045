import { fromKysely, type PgBoss } from 'pg-boss'
import type { Clock } from '../clock.ts'
import type { Tier } from '../contract/migration.ts'
import {
  admitRun,
  lockAdmission,
  type Occupation,
  occupation,
  type QueuedRun,
  queuedRuns,
  runsWithoutJob,
} from '../db/admission.ts'
import type { Database } from '../db/database.ts'
import type { EngineLog } from './context.ts'
import { openQueue, queueName } from './queue.ts'

/** Runs of a tier that may be under way at once, over all hosts: large ones bring the memory of a host to its end first. */
const tierCaps: Record<Tier, number> = { small: 16, medium: 12, large: 8, xlarge: 4, xxlarge: 2, xxxlarge: 1 }
/** So that one organisation cannot keep every place. */
const organisationCap = 4

export interface AdmissionDeps {
  database: Database
  databaseUrl: string
  clock: Clock
  log: EngineLog
}

export interface Admission {
  /** Lets in what fits and sends a job for every admitted run that has none. Cheap, idempotent, safe on any host (A1). */
  admit(): Promise<void>
  stop(): Promise<void>
}

/** For a process that changes runs but works on none. */
export async function createAdmission(deps: AdmissionDeps): Promise<Admission> {
  const boss = await openQueue(deps.databaseUrl, deps.log, { supervise: false })
  return { admit: () => admit(deps, boss), stop: () => boss.stop({ graceful: false, close: true }) }
}

export async function admit(deps: Pick<AdmissionDeps, 'database'>, boss: PgBoss): Promise<void> {
  await deps.database.transaction().execute(async (tx) => {
    await lockAdmission(tx)
    const occupied = await occupation(tx)
    for (const run of inTurn(await queuedRuns(tx), occupied)) {
      if (!fits(run, occupied)) continue
      await admitRun(tx, run)
      occupy(run, occupied)
    }
    for (const runId of await runsWithoutJob(tx))
      await boss.send(queueName, { runId }, { singletonKey: runId, db: fromKysely(tx) })
  })
}

/** Round robin: whoever has the fewest runs under way comes first, then who waited longest. */
export function inTurn(queued: QueuedRun[], occupied: Occupation): QueuedRun[] {
  const rounds = new Map<string, number>(occupied.inProgressByOrganisation)
  const placed = queued.map((run, waited) => {
    const round = rounds.get(run.organisationId) ?? 0
    rounds.set(run.organisationId, round + 1)
    return { run, round, waited }
  })
  return placed.sort((a, b) => a.round - b.round || a.waited - b.waited).map(({ run }) => run)
}

/** Capacity is there, the destination is free, and no shop is written to while another run copies from it (A2). */
export function fits(run: QueuedRun, occupied: Occupation): boolean {
  if ((occupied.inProgressByTier.get(run.tier) ?? 0) >= tierCaps[run.tier]) return false
  if ((occupied.inProgressByOrganisation.get(run.organisationId) ?? 0) >= organisationCap) return false
  if (!run.writes) return true
  if (occupied.destinations.has(run.destinationHash) || occupied.sources.has(run.destinationHash)) return false
  return !occupied.destinations.has(run.sourceHash)
}

function occupy(run: QueuedRun, occupied: Occupation): void {
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  count(occupied.inProgressByTier, run.tier)
  count(occupied.inProgressByOrganisation, run.organisationId)
  if (!run.writes) return
  occupied.destinations.add(run.destinationHash)
  occupied.sources.add(run.sourceHash)
}
