import { afterAll, describe, expect, test } from 'vitest'
import { type Probes, probeBodies } from './body-probe.ts'
import { closeShops } from './drivers/contract-shop.ts'
import { drivers } from './drivers/drivers.ts'
import { leniencies } from './leniencies.ts'
import { orHowToGetSpecs, readPublishedOperations, specsFolder } from './published-operations.ts'

afterAll(closeShops)

const operations = readPublishedOperations()
const allowed = leniencies.flatMap(({ places }) => places)

const probed = new Map<string, Promise<Probes>>()

/** Probes an operation at most once, whichever test asks first. */
function probesOf(operation: string): Promise<Probes> {
  const driver = drivers.find((one) => one.operation === operation)
  if (!driver) throw new Error(`${operation} has no driver`)
  const probes = probed.get(operation) ?? probeBodies(driver, operations)
  probed.set(operation, probes)
  return probes
}

const writes = drivers.map(({ operation }) => operation).filter((operation) => !operation.startsWith('GET'))

describe.skipIf(!specsFolder)(orHowToGetSpecs('bodies against the published OpenAPI files'), () => {
  test.each(writes)('%s refuses a body that its file refuses', async (operation) => {
    const { taken } = await probesOf(operation)
    expect(taken.filter((place) => !allowed.includes(place))).toEqual([])
  })

  test('every leniency that is listed is still one, and they are few', async () => {
    const all: Probes[] = []
    // One after the other: all of them at once would be hundreds of stores.
    for (const operation of writes) all.push(await probesOf(operation))
    const sent = all.reduce((sum, one) => sum + one.sent, 0)
    const taken = all.flatMap((one) => one.taken)
    console.log(`${sent - taken.length} of ${sent} bodies that the files refuse were refused`)
    expect(allowed.filter((place) => !taken.includes(place))).toEqual([])
    expect(taken.length).toBeLessThan(sent / 10)
  })
})
