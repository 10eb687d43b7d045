import { expect, test } from 'vitest'
import { isLong } from '../harness/long-form.ts'
import { until } from '../harness/until.ts'
import { aWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { issuesBy } from './healing-story.ts'

/** A source with one customer, who has two wishlists. */
async function aWorldWithWishlists(): Promise<World> {
  const world = await aWorld({
    entities: ['customers', 'wishlists'],
    // Longer than the test holds an answer.
    requestTimeoutSeconds: 30,
    seeds: { source: 'empty' },
  })
  const [customer] = await callStore<{ id: number }[]>(world, 'source', 'POST', '/v3/customers', [
    { email: 'grace@example.com', first_name: 'Grace', last_name: 'Example' },
  ])
  for (const name of ['Birthday', 'Later'])
    await callStore(world, 'source', 'POST', '/v3/wishlists', {
      customer_id: customer?.id,
      name,
      is_public: false,
      items: [],
    })
  return world
}

async function eraseCopy(world: World): Promise<void> {
  const { customers = [] } = await world.state('destination')
  expect(customers).toHaveLength(1)
  await callStore(world, 'destination', 'DELETE', `/v3/customers?id:in=${customers[0]?.id}`)
}

async function expectToStayErased(world: World): Promise<void> {
  expect((await world.state('destination')).customers).toEqual([])
  const later = await world.complete({ entities: ['customers'] })
  expect((await world.issues(later.requestId)).map(({ code }) => code)).toEqual(['not_recreated'])
  expect((await world.state('destination')).customers).toEqual([])
}

test('G12: a run over wishlists alone does not bring back a customer who was erased before', async () => {
  const world = await aWorldWithWishlists()
  await world.complete({ entities: ['customers'] })
  await eraseCopy(world)
  const run = await world.complete({ entities: ['wishlists'] })
  expect(run.counters).toMatchObject({ done: 0, failed: 0, skipped: 2 })
  const issues = await world.issues(run.requestId)
  expect(issues.map(({ code, component, severity }) => `${severity}: ${component} ${code}`)).toEqual(
    Array(2).fill('warning: wishlists not_recreated'),
  )
  for (const { message } of issues)
    expect(message).toMatch(/ belongs to customer \d+, .*name "customers" and "wishlists" in recreateErased\.$/)
  await expectToStayErased(world)
})

const refused = 'stale-reference: wishlists platform_refused'
const scopes: [string, string[], string[]][] = [
  [
    'customers and wishlists',
    ['customers', 'wishlists'],
    [`healed ${refused}`, 'open -: customers not_recreated', 'open -: wishlists not_recreated'],
  ],
  ['wishlists', ['wishlists'], [`open ${refused}`]],
]
test.each(
  isLong ? scopes : scopes.slice(0, 1),
)('G12: a customer who is erased while a run over %s writes wishlists is not created again, neither then nor later', async (_scope, entities, issues) => {
  const world = await aWorldWithWishlists()
  await world.complete({ entities: ['customers'] })
  await world.fault('destination', { kind: 'slow', method: 'POST', path: '^/v3/wishlists$', seconds: 5, times: 2 })
  const id = await world.migrate({ entities })
  await until('both wishlists are on their way', async () =>
    (await world.faults('destination')).some(({ hits }) => hits === 2),
  )
  await eraseCopy(world)
  await world.finished(id)
  expect(await issuesBy(world, id)).toEqual(issues)
  await expectToStayErased(world)
})
