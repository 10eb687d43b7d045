import { test } from 'vitest'
import { longTest } from '../harness/long-form.ts'
import { pathOf } from './endpoint-reads.ts'
import { allEndpoints } from './endpoint-shares.ts'
import { everything, withNamed } from './named-entities.ts'
import { answers, type Case, expectAllToEndWell, looksLikeNothing } from './refused-endpoints.ts'

/** Some of all, spread evenly; STOREFERRY_SEED takes others. */
function drawn(cases: readonly Case[], count: number): Case[] {
  const seed = Number(process.env.STOREFERRY_SEED ?? 7)
  const step = Math.floor(cases.length / count)
  return Array.from({ length: count }, (_, at) => cases[(seed + at * step) % cases.length]).filter(
    (one) => one !== undefined,
  )
}

longTest(
  'G7: whatever one endpoint of a store answers, for some of all endpoints and answers: no run over everything fails, the endpoint is named, and other phases are as in an undisturbed run',
  async () => {
    const cases = (await allEndpoints()).flatMap((endpoint) =>
      Object.keys(answers).map((answer) => ({ endpoint, answer, entities: everything, readers: [] })),
    )
    // What reads the others is found out by the long form only.
    const told = cases.filter(({ endpoint, answer }) => !looksLikeNothing(pathOf(endpoint), answer))
    await expectAllToEndWell(drawn(told, 3))
  },
)

test('G6: a store that shows the ids of its channels, sites or tax zones as texts is paired and copied as always', async () => {
  const cases = [
    ['source /v3/channels', 'categories'],
    ['source /v3/sites', 'redirects'],
    ['source /v3/tax/zones', 'tax-zones'],
  ] as const
  await expectAllToEndWell(
    cases.map(([endpoint, key]) => ({ endpoint, answer: 'ids as text', entities: withNamed([key]), readers: [] })),
  )
})
