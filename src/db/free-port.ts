import { createServer } from 'node:net'

/** A port of 127.0.0.1 that nobody listens on at the moment; whoever asks takes it soon, because it is not kept. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No free port on 127.0.0.1.')
  return address.port
}
