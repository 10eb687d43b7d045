import { systemClock } from '../../src/clock.ts'
import { startEmbeddedPostgres } from '../../src/db/postgres/embedded-postgres.ts'

/** A process of its own that starts PostgreSQL on the given directory, notifies its parent, and stops it on request. */
const stopRequest = new Promise((resolve) => process.once('message', resolve))
const quiet = { info: () => {}, warn: () => {} }
const dataDirectory = process.argv[2] ?? ''
try {
  const server = await startEmbeddedPostgres({ dataDirectory, log: quiet, clock: systemClock })
  process.send?.({ adopted: server.adopted, url: server.url('postgres') })
  await stopRequest
  await server.stop()
} catch (error) {
  process.send?.({ error: (error as Error).message })
}
process.disconnect()
