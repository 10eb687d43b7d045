import { sql } from 'kysely'
import type { HostOffer, HostRoom, RunSize } from '../../model/forecast/capacity.ts'
import type { Columns, OrNull } from '../core/columns.ts'
import type { Database, InTransaction } from '../core/database.ts'
import { isResting } from '../ledger/waiting.ts'

/** A host renews its row every few seconds; after this many without a renewal it counts as gone. */
const goneAfterSeconds = 15
/**
 * A process sends several heartbeats per second for its run; after this many seconds without one, and if no host has
 * taken the run, it counts for no host.
 */
const leftAfterSeconds = 10

/** Records what this host offers, and that it is alive. */
export async function renewHost(database: Database, name: string, offer: HostOffer): Promise<void> {
  await sql`
    with gone as (delete from worker_hosts where seen_at < now() - interval '1 hour')
    insert into worker_hosts (name, max_runs, memory_mib, tier_caps)
    values (${name}, ${offer.maxRuns}, ${offer.memoryMiB}, ${JSON.stringify(offer.tierCaps)}::jsonb)
    on conflict (name) do update set seen_at = now(), max_runs = excluded.max_runs, memory_mib = excluded.memory_mib,
      tier_caps = excluded.tier_caps`.execute(database)
}

/** Keeps this host from being given more runs. */
export async function withdrawHost(database: Database, name: string): Promise<void> {
  await sql`delete from worker_hosts where name = ${name}`.execute(database)
}

/** Live hosts, and the runs that they take together. */
export async function countHosts(database: Database): Promise<{ hosts: number; slots: number }> {
  const { rows } = await sql<{ hosts: number; slots: number }>`
    select count(*)::integer as hosts, coalesce(sum(max_runs), 0)::integer as slots from worker_hosts
    where seen_at > now() - make_interval(secs => ${goneAfterSeconds})`.execute(database)
  return rows[0] ?? { hosts: 0, slots: 0 }
}

/** Live hosts with their runs, and the runs in progress that no live host is working on right now. */
export async function readHosts(
  tx: Database | InTransaction,
): Promise<{ hosts: (HostRoom & Columns<'worker_hosts', 'name' | 'seenAt'>)[]; unplaced: RunSize[] }> {
  const offers = await sql<Columns<'worker_hosts', 'name' | 'seenAt' | 'maxRuns' | 'memoryMiB' | 'tierCaps'>>`
    select name, seen_at as "seenAt", max_runs as "maxRuns", memory_mib as "memoryMiB", tier_caps as "tierCaps" from worker_hosts
    where seen_at > now() - make_interval(secs => ${goneAfterSeconds}) order by name`.execute(tx)
  const runs = await sql<Columns<'runs', 'tier' | 'memMiB'> & OrNull<Columns<'run_leases', 'holder'>>>`
    select run.tier, run.mem_mib as "memMiB",
      case when lease.heartbeat_at > now() - make_interval(secs => ${leftAfterSeconds}) then lease.holder end as holder
    from runs run left join run_leases lease on lease.run_id = run.id where run.status = 'in_progress' and not ${isResting(sql`run`)}
    order by run.mem_mib desc, run.id`.execute(tx)
  const hosts = new Map(offers.rows.map((offer) => [offer.name, { ...offer, runs: [] as RunSize[] }]))
  const unplaced: RunSize[] = []
  for (const { holder, ...run } of runs.rows) (hosts.get(holder ?? '')?.runs ?? unplaced).push(run)
  return { hosts: [...hosts.values()], unplaced }
}
