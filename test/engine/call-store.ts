import type { World } from '../harness/world.ts'
import type { StoreName } from '../harness/world-sandbox.ts'

/** A call that a merchant or another app makes to a store, over the platform's own API; @returns `data` of the answer. */
export async function callStore<Data = Record<string, unknown>>(
  world: Pick<World, 'address'>,
  side: StoreName,
  method: string,
  path: string,
  body?: unknown,
): Promise<Data> {
  const { url, token } = world.address(side)
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'x-auth-token': token, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The ${side} store answered ${method} ${path} with ${response.status}: ${text}`)
  // The caller names the shape, as the platform documents it.
  const answer = text === '' ? undefined : JSON.parse(text)
  // Version 2 and the order settings answer without an envelope.
  return (answer?.data ?? answer) as Data
}
