import { sql } from 'kysely'
import { until } from '../harness/until.ts'
import { aWorld, type World, type WorldOptions } from '../harness/world.ts'
import { callStore } from './call-store.ts'

const brands = { method: 'POST', path: '/v3/catalog/brands$' } as const

/** A busy machine may take seconds to report a held call; after a time-out the answer would come too late. */
export const patientSeconds = 60

/** A source with some brands more than the destination accepts at once. */
export async function aWorldWithBrands(options: WorldOptions = {}, more = 8): Promise<World> {
  const world = await aWorld({ catalogueOnly: true, requestTimeoutSeconds: patientSeconds, ...options })
  const extra = Array.from({ length: more }, (_, n) => ({ name: `Extra ${n}` }))
  await Promise.all(extra.map((brand) => callStore(world, 'source', 'POST', '/v3/catalog/brands', brand)))
  return world
}

/** A run of brands: the first four are in flight and held until they are released. */
export async function heldRun(world: World, entities = ['brands']): Promise<string> {
  await world.fault('destination', { kind: 'hold_after_applying', ...brands, times: null })
  const id = await world.migrate({ entities })
  await until('four brands are held', async () => (await brandsSent(world)).length >= 4)
  return id
}

/** Answers the held calls, and all that follow. */
export async function letGo(world: World): Promise<void> {
  await world.clearFaults('destination')
  await world.release('destination')
}

export async function brandsSent(world: World) {
  return (await world.requests('destination', 'POST')).filter(({ path }) => path === '/v3/catalog/brands')
}

/** Waits until the host, which was asked to end, takes no more runs. */
export async function untilDraining({ database }: World): Promise<void> {
  await until('the host takes no more runs', async () => {
    const { rows } = await sql`select 1 from worker_hosts`.execute(database)
    return rows.length === 0
  })
}

/** States of the queue's jobs for a run that still stand for work. */
export async function liveJobs({ database }: World, id: string): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`
    select state::text from pgboss.job
    where name = 'runs' and singleton_key = ${id} and state in ('created', 'retry', 'active')`.execute(database)
  return rows.map(({ state }) => state)
}

/** Runs of this world that hold a destination. */
export async function holders({ database, organisationId }: World): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select run.id from destination_leases lease join runs run on run.id = lease.run_id
    where run.organisation_id = ${organisationId}`.execute(database)
  return rows.map(({ id }) => id)
}
