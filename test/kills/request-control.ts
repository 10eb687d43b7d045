import { expect } from 'vitest'
import type { World } from '../harness/world.ts'

/** Requests a control; @returns the moment its 202 arrived. */
export async function requestControl(
  world: World,
  run: string,
  control: 'pause' | 'resume' | 'cancel',
): Promise<number> {
  const { status, body } = await world.api('POST', `/v2/migrations/${run}/${control}`)
  expect(status, JSON.stringify(body)).toBe(202)
  return Date.now()
}
