import { expect, test } from 'vitest'
import { allEndpoints, allEndpointsAgain, casesOf, inShare, shares } from './endpoint-shares.ts'
import { answers, expectAllToEndWell } from './refused-endpoints.ts'

test.each(Object.keys(answers))(
  'G7: where one endpoint of a store answers as in "%s", share 1 of all endpoints: no run fails, the endpoint is named, and other phases are as in an undisturbed run',
  async (answer) => expectAllToEndWell(await casesOf(1, answer)),
  1_800_000,
)

test('two runs over everything read the same endpoints, and each is in one share', async () => {
  const endpoints = await allEndpoints()
  expect(await allEndpointsAgain()).toEqual(endpoints)
  const shared = Array.from({ length: shares }, (_, at) => inShare(endpoints, at + 1)).flat()
  expect(shared.sort()).toEqual(endpoints)
})
