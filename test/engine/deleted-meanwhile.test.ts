import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import { patientSeconds } from './between-pages.ts'
import { callStore } from './call-store.ts'
import { differences, partOf, productOf } from './replace-story.ts'

/** Whether the run knows of the copy and of the parts that were created with it. */
async function isRecorded({ database, organisationId }: World, id: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from mappings_of_pairs
    where organisation_id = ${organisationId} and component = 'products' and destination_id = ${String(id)}`.execute(
    database,
  )
  return rows.length === 1
}

/** While the last product is on its way, somebody deletes a part of a copy that the run has created. */
async function copyLosingPart(world: World, table: string, path: string): Promise<void> {
  const products = (await world.state('source')).products ?? []
  const held = { kind: 'hold_after_applying', method: 'POST', path: '^/v3/catalog/products$' } as const
  await world.fault('destination', { ...held, body: String(products.at(-1)?.name), times: 1 })
  const id = await world.migrate()
  const copy = await until('the product is copied', () => productOf(world, 'destination').catch(() => undefined))
  await until('the run knows of it', () => isRecorded(world, copy.id))
  await until('the last product is held', async () => (await world.faults('destination')).some(({ hits }) => hits > 0))
  const part = await partOf(world, 'destination', table)
  await callStore(world, 'destination', 'DELETE', `/v3/catalog/products/${copy.id}/${path}/${part.id}`)
  await world.release('destination')
  expect((await world.finished(id)).status).toBe('completed')
}

test.each([
  ['variants', 'variants'],
  ['custom_fields', 'custom-fields'],
])('C2, G13: what was deleted of a copy before its run had read it back (%s) is created again by `update`, and not taken for what the run wrote', async (table, path) => {
  const entities = ['categories', 'brands', 'products']
  const world = await aWorld({ catalogueOnly: true, entities, requestTimeoutSeconds: patientSeconds })
  await copyLosingPart(world, table, path)
  expect(await differences(world)).not.toEqual([])
  const run = await world.complete({ conflictStrategy: 'update' })
  expect(run.status).toBe('completed')
  expect(await differences(world)).toEqual([])
  await world.resetRequests('destination')
  await world.complete({ conflictStrategy: 'update' })
  expect((await world.requests('destination')).filter(({ method }) => method !== 'GET')).toEqual([])
})
