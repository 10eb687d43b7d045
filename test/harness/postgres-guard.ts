import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/clock.ts'
import { startEmbeddedPostgres } from '../../src/db/postgres/embedded-postgres.ts'

/**
 * Keeps the test server while its parent lives. A test run that is interrupted or killed runs no tear-down, but always closes the
 * channel to this process.
 */
const parentGone = new Promise<void>((resolve) => process.once('disconnect', resolve))
const dataDirectory = await mkdtemp(join(tmpdir(), 'storeferry-test-'))
const quiet = { info: () => {}, warn: console.warn }
try {
  const server = await startEmbeddedPostgres({ dataDirectory, log: quiet, clock: systemClock })
  try {
    if (process.connected) process.send?.({ url: server.url('postgres') })
    await parentGone
  } finally {
    await server.stop()
  }
} finally {
  await rm(dataDirectory, { recursive: true, force: true })
}
if (process.connected) process.disconnect()
