import { expect } from 'vitest'
import type { World } from '../harness/world.ts'

/**
 * Copies the source while another app also uses the destination's quota, and expects no refused call and an intact reserve in the
 * first window.
 */
export async function copyBesideAnotherApp(
  world: World,
  { quota, windowMs, calls }: { quota: number; windowMs: number; calls: number },
): Promise<void> {
  const { url, token } = world.address('destination')
  const ask = async () => {
    const answer = await fetch(`${url}/v2/time`, { headers: { 'x-auth-token': token } })
    expect(answer.status).toBe(200)
    return Number(answer.headers.get('x-rate-limit-requests-left'))
  }
  // The other app begins with a new window.
  await expect.poll(ask, { timeout: 2 * windowMs, interval: 100 }).toBe(quota - 1)
  const begunMs = Date.now()
  await world.resetRequests('destination')
  for (let call = 1; call < calls; call++) await ask()
  const run = await world.complete()
  expect(run).toMatchObject({ status: 'completed', failuresOpen: 0 })
  const requests = await world.requests('destination')
  expect(requests.filter(({ status }) => status === 429)).toEqual([])
  const inFirstWindow = requests.filter(({ at }) => Date.parse(at) - begunMs < windowMs - 500)
  // The process of the run knows no window before its first answer, and sends one call until then.
  expect(inFirstWindow.length).toBeLessThanOrEqual(0.9 * quota + 1)
  expect(requests.length).toBeGreaterThan(quota)
}
