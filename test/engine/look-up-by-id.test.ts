import { expect, test } from 'vitest'
import { StoreClient } from '../../src/bigcommerce/client.ts'
import { Governor } from '../../src/bigcommerce/governor.ts'
import { systemClock } from '../../src/clock.ts'
import { askFor, idsParameter, singleReading } from '../../src/engine/read/by-ids.ts'
import { plainPages } from '../../src/engine/read/pages.ts'
import { identity } from '../../src/entities/core/references.ts'
import { entities } from '../../src/entities/registry.ts'
import { aWorld } from '../harness/world.ts'

/** Passes whose items can be asked for by id. */
const asked = entities
  .flatMap(({ passes }) => passes)
  .filter((pass) => idsParameter(pass) !== undefined || pass.lookUpById !== undefined)

test('G1: an item asked for by its id is the same as its list shows it, in every list that has such a question', async () => {
  const world = await aWorld({ seeds: { source: 'awkward' } })
  const { token, hash } = world.address('source')
  const connection = { apiUrl: world.sandboxUrl, hash, token, readOnly: true, requestTimeoutMs: 30_000 }
  const client = new StoreClient(connection, new Governor({ clock: systemClock }), { clock: systemClock })
  const context = {
    source: client,
    destination: client,
    lease: { stop: new AbortController().signal },
    channels: { source: [], destination: [] },
  }
  const compared: string[] = []
  for (const pass of asked) {
    const reading = singleReading('destination', pass, true)
    const rows = []
    for await (const { items } of plainPages(context, 'destination', reading)) rows.push(...items)
    const [first, last] = [rows[0], rows.at(-1)]
    if (!first || !last) continue
    const ids = [...new Set([first, last].map((row) => String(row[reading.idField])))]
    const found = (await askFor(context, 'destination', pass, reading, [...ids, '99999999'])) ?? []
    const draftOf = (row: typeof first) => pass.drafts(row, identity)
    const expected = first === last ? [first] : [first, last]
    expect(found.map(draftOf), pass.key).toEqual(expected.map(draftOf))
    compared.push(pass.key)
  }
  await client.close()
  // The seed has none of them.
  expect(asked.map(({ key }) => key).filter((key) => !compared.includes(key))).toEqual(['tax-properties'])
})
