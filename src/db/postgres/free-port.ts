import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports of outgoing connections, which might otherwise take a port before the caller listens on it. */
const [lowest, highest] = [15_000, 32_000]
const mostTries = 100

/** A port of 127.0.0.1 that is free right now. It is not reserved, so listen on it soon. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < mostTries; tries++) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) return port
  }
  throw new Error('No free port on 127.0.0.1.')
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  probe.listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
