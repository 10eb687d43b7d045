import { afterAll, describe, expect, test } from 'vitest'
import { resources } from '../../../sandbox/registry.ts'
import { judge, type Verdict } from './contract-check.ts'
import { contradictions } from './contradictions.ts'
import { closeShops } from './drivers/contract-shop.ts'
import { drivers } from './drivers/drivers.ts'
import { orHowToGetSpecs, readPublishedOperations, specsFolder } from './published-operations.ts'

const served = resources.flatMap(({ routes }) => routes.map(({ method, path }) => `${method} ${path}`))
afterAll(closeShops)

const operations = readPublishedOperations()
const contradicted = new Set(contradictions.flatMap(({ places }) => places))

const judged = new Map<string, Promise<Verdict>>()

/** Drives an operation at most once, whichever test asks first. */
function verdictOf(operation: string): Promise<Verdict> {
  const driver = drivers.find((one) => one.operation === operation)
  if (!driver) throw new Error(`${operation} has no driver: add one next to its neighbours`)
  const verdict = judged.get(operation) ?? judge(driver, operations)
  judged.set(operation, verdict)
  return verdict
}

/** One after the other: all of them at once would be hundreds of stores, which answer too late to be judged. */
async function allVerdicts(): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  for (const { operation } of drivers) verdicts.push(await verdictOf(operation))
  return verdicts
}

const placesOf = ({ operation, findings }: Verdict) => findings.map(({ part, at }) => `${operation} ${part} ${at}`)

/** What was found and is not a contradiction of the files. */
const unexplained = ({ operation, findings }: Verdict) =>
  findings.filter(({ part, at }) => !contradicted.has(`${operation} ${part} ${at}`))

const isValidated = (verdict: Verdict) =>
  verdict.successes.length > 0 && verdict.errors.length > 0 && unexplained(verdict).length === 0

describe.skipIf(!specsFolder)(orHowToGetSpecs('the published OpenAPI files'), () => {
  test.each(drivers.map(({ operation }) => operation))('%s answers and takes what its file says', async (operation) => {
    expect(unexplained(await verdictOf(operation))).toEqual([])
  })

  test('the success and the error answers of every operation that is served were validated', async () => {
    const verdicts = await allVerdicts()
    const validated = verdicts.filter(isValidated).map(({ operation }) => operation)
    const missing = served.filter((operation) => !validated.includes(operation))
    console.log(`${validated.length} of ${served.length} operations validated, success and error`)
    expect(missing, `not validated: ${missing.join(', ')}`).toEqual([])
    expect(validated.length).toBe(served.length)
  })

  test('every contradiction that is listed is still one', async () => {
    const verdicts = await allVerdicts()
    const found = new Set(verdicts.flatMap(placesOf))
    expect([...contradicted].filter((place) => !found.has(place))).toEqual([])
  })
})
