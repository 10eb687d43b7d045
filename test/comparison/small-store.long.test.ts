import { expect, test } from 'vitest'
import { entities } from '../../src/entities/registry.ts'
import { startWorld } from '../harness/world.ts'
import { compareStores } from './compare-stores.ts'

/** The fewest reads of the seed `small`: trees, a page of categories, one of brands, ten products a page, metafields by 250. */
const fewestReads = 1 + 1 + 1 + 100 + 2

test('a store of a thousand products is copied whole, and a second run over the unchanged pair reads it all and writes nothing', {
  timeout: 900_000,
}, async () => {
  const world = await startWorld({
    seeds: { source: 'small' },
    requestTimeoutSeconds: 30,
    switches: { destination: { order_stock: 'cut' } },
  })
  try {
    // A busy machine takes longer.
    const complete = async () => world.finished(await world.migrate(), { seconds: 400 })
    const first = await complete()
    expect(first).toMatchObject({ status: 'completed', failuresOpen: 0, counters: { failed: 0, warnings: 7 } })
    // Files of digital products, pictures by WebDAV, metafields of another account (F6).
    expect(await world.findings(first.requestId)).toHaveLength(3)
    // Orders of products that have a required modifier today (G15).
    const codes = (await world.issues(first.requestId)).map(({ code }) => code)
    expect(codes).toEqual(Array.from({ length: 4 }, () => 'lines_not_linked'))
    expect(compareStores(await world.state('source'), await world.state('destination'))).toEqual([])
    for (const side of ['source', 'destination'] as const) await world.resetRequests(side)
    const second = await complete()
    expect(second).toMatchObject({ status: 'completed', failuresOpen: 0 })
    expect(second.phases.map(({ key, created, updated }) => ({ key, created, updated }))).toEqual(
      entities.map(({ key }) => ({ key, created: 0, updated: 0 })),
    )
    const methods = new Set((await world.requests('destination')).map(({ method }) => method))
    expect([...methods]).toEqual(['GET'])
    expect((await world.requests('source')).length).toBeGreaterThanOrEqual(fewestReads)
  } finally {
    await world.stop()
  }
})
