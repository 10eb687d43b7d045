import { expect, test } from 'vitest'
import { resources } from '../../../sandbox/registry.ts'
import { endpointCaps } from '../../../src/bigcommerce/endpoint-caps.ts'
import { operationKey, orHowToGetSpecs, readPublishedOperations, specsFolder } from './published-operations.ts'

const routes = resources.flatMap((resource) => resource.routes)

/** What a description says of calls at the same time, in the words of the published files. */
const DOCUMENTED_CAP = /(\d+) (?:concurrent|simultaneous)|concurrency limit of (\d+)/i

const published = readPublishedOperations()

function documentedCap(method: string, path: string): number | undefined {
  const description = String(published.get(operationKey(method, path))?.operation.description ?? '')
  const found = DOCUMENTED_CAP.exec(description.replaceAll('*', ''))
  return found ? Number(found[1] ?? found[2]) : undefined
}

/** The smallest cap that the engine keeps for a call; Infinity without one. */
function keptCap(method: string, path: string): number {
  const example = path.replace(/:currency\w*/g, 'usd').replace(/:\w+/g, '7')
  const caps = endpointCaps.filter((cap) => (cap.method ?? method) === method && cap.pattern.test(example))
  return Math.min(...caps.map(({ limit }) => limit))
}

test.skipIf(!specsFolder)(
  orHowToGetSpecs('the sandbox serves as many calls at once as the published descriptions say'),
  () => {
    const differing = routes.flatMap(({ method, path, cap }) => {
      const says = documentedCap(method, path)
      return says !== undefined && says !== cap ? [`${method} ${path}: ${cap} instead of ${says}`] : []
    })
    expect(differing).toEqual([])
    expect(routes.filter(({ method, path }) => documentedCap(method, path) !== undefined).length).toBeGreaterThan(40)
  },
)

test('the engine never sends more calls at once than the sandbox serves', () => {
  const exceeding = routes.flatMap(({ method, path, cap = Infinity }) =>
    keptCap(method, path) > cap ? [`${method} ${path}: ${keptCap(method, path)} of ${cap}`] : [],
  )
  expect(exceeding).toEqual([])
})
