import { expect, test } from 'vitest'
import { entities } from '../../src/entities/registry.ts'
import { aWorld } from '../harness/world.ts'
import { counted } from './counted.ts'

test('B6: a destination that already has every item of every entity except orders is adopted, counted as skipped and not written to', async () => {
  // As if the items had been copied by hand. An order without our mark matches no source order (B7).
  const world = await aWorld({
    seeds: { source: 'tiny', destination: 'tiny' },
    entities: entities.map(({ key }) => key).filter((key) => key !== 'orders'),
  })
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const writes = (await world.requests('destination')).filter(({ method }) => method !== 'GET')
  expect(writes).toEqual([])
  for (const [component, { discovered, ...counts }] of Object.entries(await counted(world, run.requestId)))
    expect(counts, component).toEqual({ skipped: discovered })
})
