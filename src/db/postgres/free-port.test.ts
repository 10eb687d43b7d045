import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'

test('ports can be listened on, and no outgoing connection of the system takes them meanwhile', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort))
  for (const port of ports) {
    // Linux assigns outgoing connections ports from 32768 up, other systems from 49152 up.
    expect(port).toBeLessThan(32_768)
    expect(port).toBeGreaterThan(1_024)
  }
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(ports[0], '127.0.0.1', resolve)
  })
  await new Promise((resolve) => server.close(resolve))
})
