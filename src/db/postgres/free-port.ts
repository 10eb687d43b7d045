import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that systems give to outgoing connections, one of which could take a port before whoever asked listens on it. */
const [lowest, highest] = [15_000, 32_000]
const mostTries = 100

/** A port of 127.0.0.1 that nobody listens on at the moment; whoever asks takes it soon, because it is not kept. */
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
