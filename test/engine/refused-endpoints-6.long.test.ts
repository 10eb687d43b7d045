import { test } from 'vitest'
import { casesOf } from './endpoint-shares.ts'
import { answers, expectAllToEndWell } from './refused-endpoints.ts'

test.each(Object.keys(answers))(
  'G7: where one endpoint of a store answers as in "%s", share 6 of all endpoints: no run fails, the endpoint is named, and other phases are as in an undisturbed run',
  async (answer) => expectAllToEndWell(await casesOf(6, answer)),
  1_800_000,
)
